import type { Measurement } from '../service/orders.ts'

/** Compiled code and pools that a service has made once it has worked, and keeps. */
const WARMTH_BYTES = 16 * 1024 * 1024
/** The driver's own, kept alive between its questions. */
const MAX_CONNECTIONS = 8

/** When all clients have gone, so has what was kept of them. `floorBytes`: before the first came. */
export function checkMemory(measurements: readonly Measurement[], floorBytes: number): string[] {
  const wrong: string[] = []
  for (const { keptBytes, connections } of measurements) {
    if (keptBytes > floorBytes + WARMTH_BYTES) {
      wrong.push(`${keptBytes} bytes are kept, of a floor of ${floorBytes}`)
    }
    if (connections > MAX_CONNECTIONS) wrong.push(`${connections} connections are still open`)
  }
  return wrong
}
