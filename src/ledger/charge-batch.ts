import type { Charge } from './charge.ts'

/** The charges of all replies that ended at the same moment: one commit serves them. */
export interface ChargeBatch {
  readonly charges: readonly Charge[]
  readonly atMs: number
  /** The UTC day of that moment. */
  readonly day: string
}
