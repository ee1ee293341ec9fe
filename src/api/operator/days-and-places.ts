import { utcDay } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import type { EntryPlace } from '#ledger/index.ts'

export const LAST_DAY = '9999-12-31'

/** A day that the contract's pattern has let through. */
export function readDay(text: string, field: string): string {
  const atMs = Date.parse(text)
  if (!Number.isNaN(atMs) && utcDay(atMs) === text) return text
  throw new Fault('invalid_request', `${field}: must be a day that there is, such as "2026-11-21"`)
}

export function writePlace({ atMs, reference }: EntryPlace): string {
  return `${atMs}.${Buffer.from(reference).toString('base64url')}`
}

/** The contract's pattern has let it through. */
export function readPlace(cursor: string): EntryPlace {
  const [at = '', coded = ''] = cursor.split('.')
  const reference = Buffer.from(coded, 'base64url').toString()
  // What ends there is before year 10000, and PostgreSQL takes a U+0000 for an error.
  if (Number(at) < Date.parse(LAST_DAY) && !reference.includes('\0')) {
    return { atMs: Number(at), reference }
  }
  throw new Fault('invalid_request', 'cursor: must be the `next_cursor` of the page before')
}
