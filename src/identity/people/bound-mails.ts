import type { Clock } from '#platform/clock.ts'
import type { MailKind } from '../mails/index.ts'

/** Of one kind to one address within the window: enough for who lost some, too few to bother anybody. */
const MAX_MAILS = 5
const WINDOW_MS = 3_600_000
const MAX_REMEMBERED = 10_000

/** What strangers can have sent to any address. The others take a session, or a link of a mail. */
const ASKED_BY_ANYBODY: ReadonlySet<MailKind> = new Set([
  'verify_address',
  'reset_password',
  'known_address',
  'invitation',
])

/**
 * Bounds what an address is sent because somebody asked for it, so that our mails are no way to flood
 * a mailbox. Each kind has its own count: who floods with one does not keep the others from arriving.
 */
export function createMailBound(clock: Clock) {
  /** In the order in which the windows began. */
  const windows = new Map<string, { readonly startMs: number; count: number }>()

  return function maySend(kind: MailKind, to: string): boolean {
    if (!ASKED_BY_ANYBODY.has(kind)) return true
    const nowMs = clock.nowMs()
    const key = `${kind} ${to}`
    const known = windows.get(key)
    if (known && nowMs < known.startMs + WINDOW_MS) {
      known.count += 1
      return known.count <= MAX_MAILS
    }
    windows.delete(key)
    const [oldest] = windows.keys()
    if (oldest !== undefined && windows.size >= MAX_REMEMBERED) windows.delete(oldest)
    windows.set(key, { startMs: nowMs, count: 1 })
    return true
  }
}
