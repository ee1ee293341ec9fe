const DAY_MS = 86_400_000

/** The UTC day of a moment, as the service counts days: "2026-11-21". */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return utcDay(new Date(Date.parse(day) + count * DAY_MS))
}

/** Both ends included; empty where the end is before the beginning. */
export function listDays(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_day, index) => addDays(from, index))
}

/** Whether a text is a day that there is: "2026-02-30" is none. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const atMs = Date.parse(text)
  return !Number.isNaN(atMs) && utcDay(new Date(atMs)) === text
}
