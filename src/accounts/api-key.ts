import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A new key: the text to show once, and what may be kept of it. */
export interface NewKey {
  readonly key: string
  readonly hash: string
  readonly prefix: string
  readonly lastFour: string
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 37
const CHECKSUM_LENGTH = 6
/** How much of the secret is shown with the prefix, so that its owner can tell keys apart. */
const SHOWN_LENGTH = 4

/** "svc_live_", 37 random characters (220 bits) and 6 of checksum. */
export function generateKey(serviceName: string): NewKey {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(62)]).join('')
  const start = keyStart(serviceName)
  const key = start + secret + checksum(start + secret)
  return {
    key,
    hash: hashKey(key),
    prefix: key.slice(0, start.length + SHOWN_LENGTH),
    lastFour: key.slice(-4),
  }
}

/** True for what could be a key of ours. A mistyped one is told from its checksum, with no look-up. */
export function isWellFormedKey(serviceName: string, text: string): boolean {
  const start = keyStart(serviceName)
  if (text.length !== start.length + SECRET_LENGTH + CHECKSUM_LENGTH) return false
  if (!text.startsWith(start)) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return text.slice(-CHECKSUM_LENGTH) === checksum(body)
}

/** SHA-256 is enough: a key is random, so there is nothing to guess at. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function keyStart(serviceName: string): string {
  return `${serviceName}_live_`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
