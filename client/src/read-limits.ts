/** What an account may do in this minute, as it was when the service answered. */
export interface RateLimits {
  readonly requests: RateLimit
  readonly tokens: RateLimit
}

export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  /** Seconds until all of it is there again. */
  readonly resetS: number
}

/** Undefined where an answer has none, as after a key that is refused. */
export function readLimits(headers: Headers): RateLimits | undefined {
  const quotas = readItems(headers.get('ratelimit-policy'))
  const states = readItems(headers.get('ratelimit'))
  const requests = readLimit(quotas.get('requests'), states.get('requests'))
  const tokens = readLimit(quotas.get('tokens'), states.get('tokens'))
  return requests && tokens && { requests, tokens }
}

function readLimit(quota: Item | undefined, state: Item | undefined): RateLimit | undefined {
  const [limit, remaining, resetS] = [quota?.get('q'), state?.get('r'), state?.get('t')]
  if (limit === undefined || remaining === undefined || resetS === undefined) return undefined
  return { limit, remaining, resetS }
}

type Item = ReadonlyMap<string, number>

/** `"requests";r=9;t=60, "tokens";r=9400;t=60`: figures by their names (RFC 9651). */
function readItems(header: string | null): ReadonlyMap<string, Item> {
  const items = (header ?? '').matchAll(/"(\w+)"((?:;\w+=(?:\d+|"\w*"))*)/g)
  return new Map(Array.from(items, ([, name = '', figures = '']) => [name, readFigures(figures)]))
}

function readFigures(text: string): Item {
  const figures = text.matchAll(/;(\w+)=(\d+)/g)
  return new Map(Array.from(figures, ([, name = '', figure]) => [name, Number(figure)]))
}
