import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt } from '../../bench/money/call.ts'
import type { Bill } from '../../bench/money/contestant.ts'
import { findBroken } from '../../bench/money/find-broken.ts'
import { reckon, type Evidence } from '../../bench/money/reckon.ts'
import { costOf, REPLY_NANO, TOKENS } from '../../bench/money/reply.ts'
import { SCENARIOS } from '../../bench/money/scenarios.ts'

const WHOLE: Attempt = { number: 1, requestId: 'one', end: 'whole', tokens: TOKENS }
const CUT: Attempt = { number: 2, requestId: 'two', end: 'cut', tokens: 5 }
const REFUSED: Attempt = { number: 3, requestId: 'three', end: 'refused', tokens: 0 }
const BILLS: readonly Bill[] = [
  { requestId: 'one', completionTokens: TOKENS, costNano: REPLY_NANO },
  { requestId: 'two', completionTokens: 6, costNano: costOf(6) },
]

/** A run in which nothing was lost. */
function evidence({ attempts = [WHOLE, CUT, REFUSED], bills = BILLS, taken = 0 } = {}): Evidence {
  const takenNano = taken + bills.reduce((sum, { costNano }) => sum + costNano, 0)
  const sent = { 1: TOKENS, 2: 8 }
  return { fundsNano: REPLY_NANO, attempts, sent, books: { bills, takenNano, problems: [] } }
}

function findIn(name: string, of: Evidence): string[] {
  const scenario = SCENARIOS.find((one) => one.name === name)
  assert.ok(scenario)
  return findBroken(scenario, reckon(of))
}

test('a run in which nothing was lost says so', () => {
  assert.deepEqual(reckon(evidence()), {
    whole: 1,
    cut: 1,
    refused: 1,
    overspentNano: 0,
    unbilledWhole: 0,
    unbilledCut: 0,
    overbilled: 1,
    inVain: 3,
    twice: 0,
    received: 5,
    unexplainedNano: 0,
  })
  assert.deepEqual(findIn('leave', evidence()), [])
})

test('replies beyond the funds are overspent', () => {
  const second: Attempt = { ...WHOLE, number: 4, requestId: 'four' }
  const bill: Bill = { requestId: 'four', completionTokens: TOKENS, costNano: REPLY_NANO }
  const bills = [...BILLS, bill]
  const found = evidence({ attempts: [WHOLE, second, CUT], bills })
  assert.equal(reckon(found).overspentNano, REPLY_NANO)
  assert.match(findIn('leave', found).join(), /served beyond the funds/)
})

test('what ended without a bill is unbilled, whatever the others were billed', () => {
  const found = evidence({ bills: BILLS.slice(1) })
  assert.equal(reckon(found).unbilledWhole, TOKENS)
  assert.match(findIn('kill', found).join(), /ended are on no receipt/)
})

test('what was cut off without a bill is unbilled; only a kill excuses it', () => {
  const found = evidence({ bills: BILLS.slice(0, 1) })
  assert.equal(reckon(found).unbilledCut, CUT.tokens)
  assert.match(findIn('leave', found).join(), /cut off are on no receipt/)
  assert.deepEqual(findIn('kill', found), [])
})

test('a second bill is a reply charged twice, and does not make up for another', () => {
  const found = evidence({ bills: [...BILLS, ...BILLS.slice(0, 1)] })
  assert.equal(reckon(found).twice, 1)
  assert.match(findIn('leave', found).join(), /charged twice/)
})

test('what was taken and is on no bill is told, and what is on a bill and was not taken', () => {
  assert.equal(reckon(evidence({ taken: 7 })).unexplainedNano, 7)
  assert.equal(reckon(evidence({ taken: -7 })).unexplainedNano, -7)
  assert.match(findIn('leave', evidence({ taken: 7 })).join(), /taken beyond the receipts/)
})

test('a bill far above what was received is no miscount', () => {
  const [first, second] = BILLS as [Bill, Bill]
  const found = evidence({ bills: [first, { ...second, completionTokens: TOKENS }] })
  assert.match(findIn('leave', found).join(), /never received/)
})

test('a run that put nothing to the test does not pass', () => {
  const idle = evidence({ attempts: [WHOLE], bills: BILLS.slice(0, 1) })
  assert.match(findIn('burst', idle).join(), /proves nothing/)
  assert.match(findIn('kill', idle).join(), /proves nothing/)
})
