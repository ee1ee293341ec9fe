import { declareOperation, type Declaration, type ReplyTable } from './declare-operation.ts'
import type { Operation } from './operation.ts'

const SURFACE = {
  prefix: '/operator/v1',
  tag: 'operator',
  auth: 'operator_token',
  faults: ['invalid_operator_token', 'too_many_attempts', 'not_an_operator'],
} as const

/** An operation of the operator's surface. */
export function operation<Replies extends ReplyTable>(
  id: string,
  method: Operation['method'],
  path: string,
  declaration: Declaration<Replies>,
): Operation {
  return declareOperation(SURFACE, { id, method, path }, declaration)
}
