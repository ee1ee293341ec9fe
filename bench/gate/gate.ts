import type { NanoEuro } from '#platform/money.ts'
import { createMemoryGate, type Gate, type GateSource } from '#gate/index.ts'
import type { Pace, Report } from '../report.ts'
import { formatCount, formatSpread, median } from '../statistics.ts'

/** The cost of an admission must not grow with these. */
const ACCOUNT_COUNTS = [1, 1_000, 100_000]

/** Time passes with each admission, so that no account comes near its limit of requests. */
const STEP_MS = 200
const STEPS_BETWEEN_LOOKS = 1_000

const WANTED = { cost: 825_000 as NanoEuro, tokens: 376 }

/** The gate alone: how many requests it admits and settles in a second. */
export async function runGateBench({ rounds, roundMs }: Pace): Promise<Report> {
  const rows: string[][] = []
  for (const accounts of ACCOUNT_COUNTS) {
    const rates = await measureRates(accounts, rounds, roundMs)
    const nanoseconds = (1e9 / median(rates)).toFixed(0)
    rows.push([
      formatCount(accounts),
      formatCount(median(rates)),
      formatSpread(rates),
      `${nanoseconds} ns`,
    ])
  }
  return {
    title: 'gate: admissions in memory',
    tables: [{ columns: ['accounts', 'admitted and settled/s', 'spread', 'each'], rows }],
    notes: ['One account after the other, on one thread, no store behind it.'],
    problems: [],
  }
}

async function measureRates(accounts: number, rounds: number, roundMs: number): Promise<number[]> {
  const clock = { atMs: 1_790_000_000_000, nowMs: () => clock.atMs }
  const gate = createMemoryGate({ source: createSource(), clock })
  const keyHashes = Array.from({ length: accounts }, (_, place) => `hash-${place}`)
  for (const keyHash of keyHashes) await passOne(gate, keyHash)
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    let passed = 0
    const startedMs = performance.now()
    let elapsedMs = 0
    while (elapsedMs < roundMs) {
      for (let step = 0; step < STEPS_BETWEEN_LOOKS; step += 1) {
        clock.atMs += STEP_MS
        await passOne(gate, keyHashes[passed % accounts]!)
        passed += 1
      }
      elapsedMs = performance.now() - startedMs
    }
    rates.push((1000 * passed) / elapsedMs)
  }
  await gate.close()
  return rates
}

const FUNDS = {
  balance: 1_000_000_000_000 as NanoEuro,
  deposits: 1_000_000_000_000 as NanoEuro,
  spentDay: '',
  spent: 0 as NanoEuro,
  version: 1,
}

/** What the gate does for one request: it looks at its key, admits it, and settles. */
async function passOne(gate: Gate, keyHash: string): Promise<void> {
  const recognition = await gate.recognise(keyHash, 0)
  const admission = await gate.admit({ keyHash, requestId: keyHash, wanted: WANTED })
  if (recognition.kind !== 'recognised' || admission.kind !== 'admitted') {
    throw new Error(`the gate says ${recognition.kind}, ${admission.kind}`)
  }
  gate.settle(admission.hold, { tokens: WANTED.tokens, funds: FUNDS })
}

function createSource(): GateSource {
  return {
    findKey: async (keyHash) => ({
      keyId: keyHash,
      accountId: keyHash,
      expiresAtMs: null,
      ceiling: null,
    }),
    readStanding: async () => ({ suspended: false, minTier: 3, ceiling: null, funds: FUNDS }),
    readKeySpend: () => Promise.reject(new Error('no key has a ceiling')),
  }
}
