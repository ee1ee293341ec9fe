import { checkAnswers, checkService } from './check-answers.ts'
import { checkLimits } from './check-limits.ts'
import { checkAccountMoney, checkBooks, checkSums } from './check-money.ts'
import { checkReceipts } from './check-receipts.ts'
import { checkMemory } from './check-memory.ts'
import type { Evidence } from './evidence.ts'

export { gatherEvidence, type Evidence, type Witness } from './evidence.ts'

/** All that must hold once a storm is over. A sentence for each thing that does not. */
export function findViolations(evidence: Evidence, floorBytes: number): string[] {
  return [
    ...evidence.accounts.flatMap((account) => [
      ...checkReceipts(account),
      ...checkAccountMoney(account),
      ...checkLimits(account),
      ...checkAnswers(account),
    ]),
    ...checkService(evidence),
    ...checkSums(evidence),
    ...checkBooks(evidence),
    ...checkMemory(evidence.measurements, floorBytes),
  ]
}
