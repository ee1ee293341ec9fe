import { declareOperation, type Declaration, type ReplyTable } from './declare-operation.ts'
import type { Operation } from './operation.ts'

const SURFACE = { prefix: '/console/api', tag: 'console', auth: 'session' } as const

/** An operation of the console's surface: what changes something must come from a page of ours. */
export function consoleOperation<Replies extends ReplyTable>(
  id: string,
  method: Operation['method'],
  path: string,
  declaration: Declaration<Replies>,
): Operation {
  const faults = [
    'not_signed_in',
    ...(method === 'get' ? [] : (['foreign_origin'] as const)),
  ] as const
  return declareOperation({ ...SURFACE, faults }, { id, method, path }, declaration)
}
