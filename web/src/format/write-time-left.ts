const MINUTE_S = 60
const HOUR_S = 3_600

/** "42 s", "3 min", "3 h 12 min": the same in every language; never less than a second. */
export function writeTimeLeft(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000))
  if (seconds < MINUTE_S * 2) return `${seconds} s`
  const minutes = Math.ceil(seconds / MINUTE_S)
  if (seconds < HOUR_S) return `${minutes} min`
  const left = minutes % 60
  return left === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${left} min`
}
