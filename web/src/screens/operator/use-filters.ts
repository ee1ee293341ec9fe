import { useLocation, useNavigate } from '@tanstack/react-router'

export type Filters<Name extends string> = Readonly<Record<Name, string>>

/**
 * Filters that stand in the address, so that a list can be kept, sent and gone back to. An empty one is
 * none.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changes: Partial<Filters<Name>>) => void] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const read = (name: Name): string => {
    const value: unknown = Reflect.get(search, name)
    // The router reads what looks like a number as one.
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const filters = Object.fromEntries(names.map((name) => [name, read(name)])) as Filters<Name>
  return [
    filters,
    (changes) => {
      const wanted = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '')
      void navigate({ to: '.', search: Object.fromEntries(wanted) })
    },
  ]
}
