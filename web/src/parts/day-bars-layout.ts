/** What one series came to on a day: the height of its piece of the bar, and what it is in words. */
export interface DayPart {
  readonly series: string
  /** For the height alone: what is read is `text`. */
  readonly value: number
  readonly text: string
}

export interface DayStack {
  /** A UTC day. */
  readonly day: string
  readonly parts: readonly DayPart[]
  /** All parts together, in words. */
  readonly total: string
}

export interface BarPiece {
  readonly series: string
  readonly y: number
  readonly height: number
}

export interface Bar {
  readonly day: string
  /** Hundredths of the width. */
  readonly x: number
  readonly width: number
  readonly pieces: readonly BarPiece[]
}

const MIN_PIECE = 1
const STEPS = [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10]

/** Bars side by side, their pieces stacked from the ground up; a day without use has a bar of none. */
export function layOutBars(days: readonly DayStack[], top: number, height: number): Bar[] {
  const slot = 100 / Math.max(1, days.length)
  const width = slot * (days.length <= 10 ? 0.5 : 0.75)
  return days.map(({ day, parts }, index) => {
    let y = height
    const pieces = parts
      .filter(({ value }) => value > 0)
      .map(({ series, value }) => {
        // However little it is, it is there to be seen.
        const tall = Math.max(MIN_PIECE, (value / top) * height)
        y -= tall
        return { series, y, height: tall }
      })
    return { day, x: index * slot + (slot - width) / 2, width, pieces }
  })
}

/** A round figure that no bar is above, whose half is round too (and whole, where figures are). */
export function findTop(days: readonly DayStack[], isWhole: boolean): number {
  const sums = days.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = sums.reduce((a, b) => Math.max(a, b), 0)
  if (most === 0) return isWhole ? 2 : 1
  const scale = 10 ** Math.floor(Math.log10(most))
  // Steps times powers of ten are not quite what they are written as.
  const tops = STEPS.map((step) => Number((step * scale).toPrecision(3)))
  const fits = (top: number): boolean =>
    top * (1 + 1e-9) >= most && (!isWhole || Number.isInteger(top / 2))
  return tops.find(fits) ?? 20 * scale
}

/** The day under a point, by how far it is from the left: 0 to 1. */
export function findDay(part: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(part * count)))
}
