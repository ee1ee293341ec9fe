import { declareOperation, type Declaration } from './declare-operation.ts'
import type { Need, Operation } from './operation.ts'

const SURFACE = { prefix: '/console/api', tag: 'console', auth: 'session' } as const

interface ConsoleDeclaration extends Declaration {
  readonly need: Need
}

/** An operation of the console's surface: what changes something must come from a page of ours. */
export function consoleOperation<
  const Method extends Operation['method'],
  const Path extends string,
  const Given extends ConsoleDeclaration,
>(id: string, method: Method, path: Path, declaration: Given) {
  const faults = [
    'not_signed_in',
    ...(method === 'get' ? [] : (['foreign_origin'] as const)),
    ...faultsOf(declaration.need),
  ] as const
  const declared = declareOperation({ ...SURFACE, faults }, { id, method, path }, declaration)
  return { ...declared, need: declaration.need }
}

/** How it is refused to who is no member of the account, and to a member without the right. */
export function faultsOf(need: Need): readonly ('not_found' | 'not_permitted')[] {
  return need === 'self' ? [] : ['not_found', 'not_permitted']
}
