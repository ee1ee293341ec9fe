const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** In the reader's own time zone. */
export function writeMoment(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, MOMENT).format(atMs)
}

/** To the second; UTC says so. */
export function writeSecond(atMs: number, locale: string, timeZone?: 'UTC'): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone && { timeZone }),
  })
  return timeZone ? `${format.format(atMs)} UTC` : format.format(atMs)
}

/** "840ms", "12.3s" */
export function writeDuration(durationMs: number, locale: string): string {
  const isShort = durationMs < 1_000
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: 2,
  })
  return format.format(isShort ? durationMs : durationMs / 1_000)
}

export function writeTime(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(atMs)
}

/** With seconds, for what is over within a minute. */
export function writeClock(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(atMs)
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
