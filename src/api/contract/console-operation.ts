import { declareOperation, type Declaration } from './declare-operation.ts'
import type { Operation } from './operation.ts'

const SURFACE = { prefix: '/console/api', tag: 'console', auth: 'session' } as const

/** An operation of the console's surface: what changes something must come from a page of ours. */
export function consoleOperation<
  const Method extends Operation['method'],
  const Path extends string,
  const Given extends Declaration,
>(id: string, method: Method, path: Path, declaration: Given) {
  const faults = [
    'not_signed_in',
    ...(method === 'get' ? [] : (['foreign_origin'] as const)),
  ] as const
  return declareOperation({ ...SURFACE, faults }, { id, method, path }, declaration)
}
