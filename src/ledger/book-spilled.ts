import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Charge } from './charge.ts'
import type { SpillFile } from './spill-file.ts'

/**
 * Books what an earlier run had to spill, one by one, so that one that cannot be booked stops none.
 * Booking twice books once, so the file is cleared only when nothing in it is left to do.
 */
export async function bookSpilled(
  spill: SpillFile,
  commit: (charges: readonly Charge[]) => Promise<unknown>,
  log: Log,
): Promise<{ readonly left: number }> {
  let left = 0
  const charges = await spill.read((line) => {
    left += 1
    log.error({ line }, 'a line of the spill file is no charge: it stays there')
  })
  let booked = 0
  for (const charge of charges) {
    try {
      await commit([charge])
      booked += 1
    } catch (error) {
      left += 1
      const fields = { request_id: charge.requestId, error: describeError(error) }
      log.error(fields, 'a spilled charge cannot be booked: it stays in the spill file')
    }
  }
  if (left === 0) await spill.clear()
  if (booked > 0) log.warn({ charges: booked }, 'booked what an earlier run had spilled')
  return { left }
}
