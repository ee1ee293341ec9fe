import { randomUUID } from 'node:crypto'

/** What an id names is told by its prefix, so that a stray one in a log can be placed. */
export type IdPrefix =
  | 'acc'
  | 'aud'
  | 'key'
  | 'per'
  | 'req'
  | 'rep'
  | 'chatcmpl'
  | 'call'
  | 'app'
  | 'top'
  | 'evt'
  | 'lnk'
  | 'inv'
  | 'row'

const MAX_COUNT = 0xfff

let lastMs = 0
/** Of those of one millisecond; begins at random, in the lower half. */
let count = 0

/**
 * An id such as "req_0193…": a UUID of version 7 (RFC 9562) behind its prefix, so ids sort by the
 * time they were made and new rows land side by side in an index. Where a millisecond has more of them
 * than the 12 bits beside it can count, or the clock was set back, the time that is written runs ahead.
 */
export function createId(prefix: IdPrefix): string {
  // Of version 4: Node keeps random bytes for many of these, and asks the system for one at a time elsewhere.
  const random = randomUUID()
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    count = Number.parseInt(random.slice(0, 3), 16) >> 1
  } else if (count === MAX_COUNT) {
    lastMs += 1
    count = 0
  } else {
    count += 1
  }
  return `${prefix}_${writeHex(lastMs, 12)}7${writeHex(count, 3)}${random.slice(19, 23)}${random.slice(24)}`
}

function writeHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
