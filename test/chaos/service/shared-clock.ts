import { openSync, readSync, writeSync } from 'node:fs'

/**
 * A clock in a file. Replicas that share windows must all see a move at one instant: one that was a
 * step behind would end a window that another has begun, as a clock set back does.
 */
export function openClock(path: string): () => number {
  const file = openSync(path, 'r')
  const moment = new Float64Array(1)
  return () => {
    readSync(file, moment, 0, moment.byteLength, 0)
    return moment[0] as number
  }
}

/** Makes the file, and moves its clock. Eight bytes in one place: nobody reads half of them. */
export function createClockFile(path: string): (nowMs: number) => void {
  const file = openSync(path, 'w')
  return (nowMs) => void writeSync(file, new Float64Array([nowMs]), 0, 8, 0)
}
