import type { Reckoning } from './reckon.ts'
import type { Scenario } from './scenarios.ts'

/** Which of Parley's promises a run broke, a sentence each; also a run that put none of them to the test. */
export function findBroken({ name, kills }: Scenario, reckoning: Reckoning): string[] {
  const { overspentNano, unbilledWhole, unbilledCut, twice, unexplainedNano } = reckoning
  const { whole, cut, refused, overbilled } = reckoning
  const broken: string[] = []
  const expectNone = (count: number, what: string): void => {
    if (count !== 0) broken.push(`${name}: ${count} ${what}`)
  }
  expectNone(overspentNano, 'nano-euros were served beyond the funds')
  expectNone(unbilledWhole, 'tokens of replies that ended are on no receipt')
  expectNone(twice, 'replies were charged twice')
  expectNone(unexplainedNano, 'nano-euros were taken beyond the receipts')
  expectNone(overbilled, 'tokens on receipts were never sent')
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
