/** A change of the document at one place; one that leaves nothing takes the place away. */
export interface Mutant {
  readonly name: string
  readonly at: readonly string[]
  readonly change: (value: unknown) => unknown
}

export function mutate<Kind extends object>(document: Kind, { at, change }: Mutant): Kind {
  const mutant = structuredClone(document)
  const last = String(at.at(-1))
  const holder = at.slice(0, -1).reduce<unknown>((place, step) => {
    const next = (place as Record<string, unknown> | undefined)?.[step]
    if (typeof next !== 'object' || next === null) throw new Error(`no ${step} in ${at.join(' ')}`)
    return next
  }, mutant) as Record<string, unknown>
  const value = change(holder[last])
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return mutant
}

export const CHAT = ['paths', '/v1/chat/{brand}', 'post']
export const ACCOUNTS = ['paths', '/operator/v1/accounts', 'get']
export const schema = (name: string) => ['components', 'schemas', name]
export const field = (name: string, ...path: string[]) => [...schema(name), 'properties', ...path]
export const CHOICE = field('ChatCompletion', 'choices', 'items', 'properties')

export const gone = () => undefined
export const to = (value: unknown) => () => value
export const plus = (one: unknown) => (list: unknown) => [
  ...((list as unknown[] | undefined) ?? []),
  one,
]
export const minus = (one: unknown) => (list: unknown) =>
  (list as unknown[]).filter((item) => item !== one)
export const withoutFirst = (list: unknown) => (list as unknown[]).slice(1)
export const withEntry = (name: string, value: unknown) => (record: unknown) => ({
  ...(record as object),
  [name]: value,
})
export const orNull = (value: unknown) => ({ anyOf: [value, { type: 'null' }] })
export const renamed = (from: string, name: string) => (record: unknown) => {
  const { [from]: moved, ...others } = record as Record<string, unknown>
  return { ...others, [name]: moved }
}
export const mandatory = (name: string) => (value: unknown) => {
  const { properties, required } = value as { properties: object; required?: string[] }
  return {
    ...(value as object),
    properties: { ...properties, [name]: { type: 'string' } },
    required: [...(required ?? []), name],
  }
}
