import type { Reckoning } from './reckon.ts'
import type { Scenario } from './scenarios.ts'

/** What is counted without the upstream's own figure may be so far off. */
const MISCOUNT = 0.25
/** What was on its way when a reply was cut off, and the last token, of which a part counts as one. */
const ON_ITS_WAY = 4

/** Which of Parley's promises a run broke, a sentence each; also a run that put none of them to the test. */
export function findBroken({ name, kills }: Scenario, reckoning: Reckoning): string[] {
  const { overspentNano, unbilledWhole, unbilledCut, twice, unexplainedNano } = reckoning
  const { whole, cut, refused, overbilled, received } = reckoning
  const broken: string[] = []
  const expectNone = (count: number, what: string): void => {
    if (count !== 0) broken.push(`${name}: ${count} ${what}`)
  }
  expectNone(overspentNano, 'nano-euros were served beyond the funds')
  expectNone(unbilledWhole, 'tokens of replies that ended are on no receipt')
  expectNone(twice, 'replies were charged twice')
  expectNone(unexplainedNano, 'nano-euros were taken beyond the receipts')
  if (overbilled > MISCOUNT * received + ON_ITS_WAY * cut) {
    broken.push(`${name}: ${overbilled} tokens on receipts were never received`)
  }
  // A reply that was under way in a process that was killed is nobody's to charge.
  if (!kills) expectNone(unbilledCut, 'tokens of replies that were cut off are on no receipt')
  if (name === 'burst' && (refused === 0 || whole === 0)) {
    broken.push(`${name}: ${whole} were served and ${refused} refused, which proves nothing`)
  }
  if (name !== 'burst' && cut === 0) {
    broken.push(`${name}: nothing was cut off, which proves nothing`)
  }
  return broken
}
