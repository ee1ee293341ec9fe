import type { AuditTable } from '#accounts/index.ts'
import { readPlace, writePlace } from './days-and-places.ts'

/** Where a page of the audit log ended, which is read by its times. */
export function readAuditPlace(cursor: string) {
  const { atMs, reference } = readPlace(cursor)
  return { atMs, id: reference }
}

export function writeAuditPlace({ at, id }: AuditTable): string {
  return writePlace({ atMs: at, reference: id })
}
