/**
 * The service's clock as its driver knows it. It stands still but when it is moved, by whole seconds,
 * so that what a reply's headers say of its window is exact.
 */
export interface ServiceClock {
  nowMs(): number
  /** One move at a time; `tell` resolves when every replica has heard it. */
  move(bySeconds: number, tell: (nowMs: number) => Promise<void>): Promise<void>
  /** Until the end that it returns, and in the requests under way at it, windows are not known. */
  beginDoubt(): () => void
  noteKill(): void
  noteStarted(): void
  stamp(): Stamp
}

/** A moment as seen from outside. */
export interface Stamp {
  /** The service's clock says this or later, up to the next turn back. */
  readonly nowS: number
  /** Odd while the clock is being turned back or windows are being lost: then nothing is known. */
  readonly turnsBack: number
  readonly lives: number
}

/** Some minutes before noon: not midnight by accident. */
const BEGINNING_MS = Date.UTC(2026, 10, 21, 11, 50)

export function createServiceClock(): ServiceClock {
  let currentMs = BEGINNING_MS
  let turnsBack = 0
  let lives = 0
  let doubts = 0
  let isDown = false
  let last: Promise<void> = Promise.resolve()

  async function move(bySeconds: number, tell: (nowMs: number) => Promise<void>): Promise<void> {
    const nextMs = currentMs + bySeconds * 1000
    if (bySeconds < 0) {
      turnsBack += 1
      currentMs = nextMs
    }
    await tell(nextMs)
    // The service is ahead of what we say until here, never behind.
    if (bySeconds < 0) turnsBack += 1
    else currentMs = nextMs
  }

  function noteDoubt(): void {
    const isInDoubt = isDown || doubts > 0
    if (isInDoubt !== (lives % 2 === 1)) lives += 1
  }

  return {
    nowMs: () => currentMs,
    move(bySeconds, tell) {
      const moved = last.then(() => move(bySeconds, tell))
      last = moved.catch(() => {})
      return moved
    },
    beginDoubt() {
      doubts += 1
      noteDoubt()
      return () => {
        doubts -= 1
        noteDoubt()
      }
    },
    noteKill() {
      isDown = true
      noteDoubt()
    },
    noteStarted() {
      isDown = false
      noteDoubt()
    },
    stamp: () => ({ nowS: currentMs / 1000, turnsBack, lives }),
  }
}
