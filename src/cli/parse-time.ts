import { InvalidArgumentError } from 'commander'

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/** How long "30d", "12h" or "90m" is, in milliseconds. */
export function parseTimeMs(text: string): number {
  const timeMs = readTimeMs(text)
  if (timeMs !== undefined) return timeMs
  throw new InvalidArgumentError('Give a time such as 30d, 12h or 90m.')
}

/** When that is, in epoch milliseconds: so long from now, or an instant. */
export function parseExpiry(text: string): number | 'none' {
  if (text === 'none') return text
  const timeMs = readTimeMs(text)
  if (timeMs !== undefined) return Date.now() + timeMs
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)
  const atMs = isInstant ? Date.parse(text) : NaN
  if (!Number.isNaN(atMs)) return atMs
  throw new InvalidArgumentError(
    'Give 30d, 12h, 90m, a time such as 2027-01-31T00:00:00Z, or none.',
  )
}

function readTimeMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(text) ?? []
  return count === undefined || unit === undefined
    ? undefined
    : Number(count) * (UNITS_MS[unit] ?? 0)
}
