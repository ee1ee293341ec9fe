import { declareOperation, type Declaration } from './declare-operation.ts'
import type { Operation } from './operation.ts'

const SURFACE = {
  prefix: '/operator/v1',
  tag: 'operator',
  auth: 'operator_token',
  faults: ['invalid_operator_token', 'too_many_attempts', 'not_an_operator'],
} as const

/** An operation of the operator's surface. */
export function operation<
  const Method extends Operation['method'],
  const Path extends string,
  const Given extends Declaration,
>(id: string, method: Method, path: Path, declaration: Given) {
  return declareOperation(SURFACE, { id, method, path }, declaration)
}
