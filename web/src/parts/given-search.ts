/** What stands behind the "?" of an address, as anybody may have typed it. */
export type GivenSearch = Readonly<Record<string, unknown>>

/** One of the values that a filter has; undefined for whatever else was given. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  given: unknown,
): Value | undefined {
  return values.find((value) => value === given)
}

/** Text of a bearable length. Numbers are what the router makes of digits. */
export function readText(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const text = String(given)
  return text !== '' && text.length <= 100 && !text.includes('\0') ? text : undefined
}

/** Without what is not there, so that addresses stay short. */
export function keepGiven<Search extends object>(search: Search): GivenOnly<Search> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as GivenOnly<Search>
}

type GivenOnly<Search> = { readonly [Name in keyof Search]?: Exclude<Search[Name], undefined> }
