import { v7 } from 'uuid'

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

/**
 * An id such as "req_0193…": a UUID of version 7 (RFC 9562) behind its prefix, so ids sort by the
 * time they were made and new rows land side by side in an index.
 */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`
}
