const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** In the reader's own time zone. */
export function writeMoment(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, MOMENT).format(atMs)
}

export function writeTime(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(atMs)
}

/** What is counted by UTC days is told in UTC. */
export function writeUtcTime(atMs: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(atMs)} UTC`
}

/** A UTC day ("2026-11-21"), the same day wherever it is read. */
export function writeDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' }).format(Date.parse(day))
}

export function writeDate(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, DAY).format(atMs)
}
