import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, Head } from '../traffic/attempt.ts'
import type { Receipt } from '../world/operator.ts'
import type { AccountEvidence, Evidence } from './evidence.ts'
import { findViolations } from './index.ts'

/** A check that cannot fail proves nothing: each is shown books that are wrong in one place. */

const FLOOR_BYTES = 40 * 2 ** 20
const MEASURED = { keptBytes: FLOOR_BYTES, residentBytes: 0, connections: 1 }
const NOON_S = Date.UTC(2026, 10, 21, 12) / 1000
const STAMP = { nowS: NOON_S, turnsBack: 0, lives: 0 }
const USAGE = { prompt_tokens: 5, completion_tokens: 10 }
/** Of that usage, on air. */
const PRICE_NANO = 5n * 260n + 10n * 3_100n

const account = {
  name: 'one',
  accountId: 'acc_1',
  key: '',
  lanes: 1,
  maxTokens: [20],
  creditedNano: 1_000_000_000n,
  ceilingNano: 1_000_000n,
  requestsPerMinute: 10,
  tokensPerMinute: 10_000,
}

function makeHead(requestId: string, status = 200): Head {
  return { status, requestId, windowEndsS: NOON_S + 60 }
}

function makeAttempt(requestId: string, changes: Partial<Attempt> = {}): Attempt {
  return {
    account,
    brand: 'air',
    maxTokens: 20,
    sentAt: STAMP,
    endedAt: STAMP,
    head: makeHead(requestId),
    end: { kind: 'whole', usage: USAGE, finishReason: 'stop' },
    ...changes,
  }
}

function refuse(requestId: string, status: number, code: string): Attempt {
  return makeAttempt(requestId, {
    head: makeHead(requestId, status),
    end: { kind: 'refused', code },
  })
}

function makeReceipt(requestId: string, changes: Partial<Receipt> = {}): Receipt {
  return {
    request_id: requestId,
    ...USAGE,
    cost_eur: '0.0000323',
    written_off_eur: '0.00',
    ended: 'completed',
    created_at: NOON_S * 1000,
    ...changes,
  }
}

const sound: AccountEvidence = {
  account,
  attempts: [makeAttempt('a'), makeAttempt('b'), refuse('c', 402, 'insufficient_balance')],
  receipts: [makeReceipt('a'), makeReceipt('b')],
  creditedNano: account.creditedNano,
  balanceNano: account.creditedNano - 2n * PRICE_NANO,
  heldNano: 0n,
  inDoubt: false,
  mayOverspend: false,
}

function judge(changes: Partial<AccountEvidence>, more: Partial<Evidence> = {}): string {
  const evidence: Evidence = {
    accounts: [{ ...sound, ...changes }],
    discrepancies: [],
    hasSpilled: false,
    measurements: [MEASURED],
    ...more,
  }
  return findViolations(evidence, FLOOR_BYTES).join('\n')
}

test('sound books have nothing wrong', () => {
  assert.equal(judge({}), '')
  assert.equal(judge({ attempts: [...sound.attempts, makeAttempt('d', BROKEN)] }), '')
})

const BROKEN: Partial<Attempt> = { head: undefined, end: { kind: 'broken' } }

test('a charge that is lost, doubled, wrong by a nano-euro or from nowhere is seen', () => {
  const [a, b] = sound.receipts as [Receipt, Receipt]
  assert.match(judge({ receipts: [a] }), /b ended at its client and has no receipt/)
  assert.match(judge({ receipts: [a, b, b] }), /b has two receipts/)
  const oneMore = { ...b, cost_eur: '0.000032301' }
  assert.match(judge({ receipts: [a, oneMore] }), /costs: 32301 in the books, 32300 at its client/)
  assert.match(judge({ receipts: [a, oneMore] }), /clients saw charges of 64600 .* has 64601/)
  const stranger = makeReceipt('x', { cost_eur: '0.00' })
  assert.match(judge({ receipts: [a, b, stranger] }), /1 receipts for 0 requests of unknown id: x/)
  const attempts = [...sound.attempts, makeAttempt('', BROKEN)]
  assert.equal(judge({ attempts, receipts: [a, b, stranger] }), '')
})

test('what was written off counts as cost, and is excused only where an upstream lied or holds were lost', () => {
  const [a] = sound.receipts as [Receipt, Receipt]
  const halved = makeReceipt('b', { cost_eur: '0.00003', written_off_eur: '0.0000023' })
  const balanceNano = sound.balanceNano + 2_300n
  const seen = judge({ receipts: [a, halved], balanceNano })
  assert.equal(seen, 'one: 2300 nano-euros were overspent')
  assert.equal(judge({ receipts: [a, halved], balanceNano, mayOverspend: true }), '')
  const lie = makeReceipt('d', { prompt_tokens: 90_000, cost_eur: '0.00' })
  const attempts = [...sound.attempts, makeAttempt('d', { end: { kind: 'broken' } })]
  assert.equal(judge({ attempts, receipts: [a, halved, lie], balanceNano }), '')
})

test('tokens that differ, or are more than were asked for, are seen', () => {
  const [a, b] = sound.receipts as [Receipt, Receipt]
  assert.match(
    judge({ receipts: [a, { ...b, prompt_tokens: 6 }] }),
    /prompt tokens: 6 in the books/,
  )
  const [first, ...rest] = sound.attempts as [Attempt, Attempt]
  const attempts = [{ ...first, maxTokens: 9 }, ...rest]
  assert.match(judge({ attempts }), /a shows more than its 9 tokens/)
})

test('a refusal that is charged, or needed no receipt, is seen', () => {
  const receipts = (cost: string) => [...sound.receipts, makeReceipt('c', { cost_eur: cost })]
  assert.match(judge({ receipts: receipts('0.001') }), /c was answered 402 and is charged 0.001 €/)
  assert.match(judge({ receipts: receipts('0.00') }), /c was answered 402 and has a receipt/)
  const [a, b] = sound.attempts as [Attempt, Attempt]
  const away = {
    attempts: [a, b, refuse('c', 503, 'model_unavailable')],
    receipts: receipts('0.001'),
    balanceNano: sound.balanceNano - 1_000_000n,
  }
  assert.match(judge(away), /c was answered 503 and is charged 0.001 €/)
  assert.equal(judge({ ...away, inDoubt: true }), '')
})

test('money that is gone, held for nobody or below zero is seen', () => {
  assert.match(judge({ balanceNano: sound.balanceNano - 1n }), /64601 nano-euros are gone/)
  assert.match(judge({ heldNano: 1n }), /1 nano-euros are held/)
  assert.match(judge({ balanceNano: -1n }), /the balance is -1 nano-euros/)
  assert.match(judge({}, { discrepancies: ['day 1'] }), /the books do not verify: day 1/)
  assert.match(judge({}, { hasSpilled: true }), /charges are still spilled/)
})

test('one request or token too many in a window is seen, and only in one window', () => {
  const refused = (count: number, changes: Partial<Attempt> = {}): Attempt[] =>
    Array.from({ length: count }, () => ({
      ...refuse('', 402, 'insufficient_balance'),
      ...changes,
    }))
  const attempts = (more: Attempt[]): Attempt[] => [...sound.attempts, ...more]
  assert.equal(judge({ attempts: attempts(refused(7)) }), '')
  assert.match(judge({ attempts: attempts(refused(8)) }), /11 requests passed in the window/)
  const elsewhere = { sentAt: { ...STAMP, lives: 2 }, endedAt: { ...STAMP, lives: 2 } }
  assert.equal(judge({ attempts: attempts(refused(8, elsewhere)) }), '')
  const few = { ...account, tokensPerMinute: 29 }
  assert.match(judge({ account: few }), /30 tokens passed in the window/)
})

test('a day that spends more than its ceiling and one request is seen', () => {
  // The largest hold is of 50 tokens in and 20 out.
  const mostHeld = 50n * 260n + 20n * 3_100n
  const ceilingNano = 2n * PRICE_NANO - mostHeld
  assert.match(
    judge({ account: { ...account, ceilingNano } }),
    /64600 nano-euros spent on 2026-11-21/,
  )
  assert.equal(judge({ account: { ...account, ceilingNano: ceilingNano + 1n } }), '')
})

test('a 500, and a good key taken for none, are seen', () => {
  for (const [status, code] of [
    [500, 'internal_error'],
    [401, 'invalid_api_key'],
  ] as const) {
    const attempts = [...sound.attempts, refuse('e', status, code)]
    assert.match(judge({ attempts }), new RegExp(`e was answered ${status} ${code}`))
  }
})

test('a round in which no reply ended proves nothing, and is seen', () => {
  const attempts = [refuse('c', 503, 'model_unavailable')]
  const nothing = { attempts, receipts: [], balanceNano: sound.creditedNano }
  assert.equal(judge(nothing), 'no reply ended: nothing is proved')
})

test('memory and connections that are not given back are seen', () => {
  const kept = { ...MEASURED, keptBytes: FLOOR_BYTES + 17 * 2 ** 20 }
  assert.match(judge({}, { measurements: [kept] }), /bytes are kept, of a floor/)
  const open = { ...MEASURED, connections: 9 }
  assert.match(judge({}, { measurements: [open] }), /9 connections are still open/)
})
