import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCircuit, DEFAULT_CIRCUIT, type CircuitState } from './circuit.ts'

const options = { failures: 3, windowMs: 1_000, coolDownMs: 500 }

function failTimes(circuit: ReturnType<typeof createCircuit>, times: number, atMs = 0): void {
  for (let count = 0; count < times; count += 1) {
    circuit.pass(atMs)
    circuit.failed(atMs)
  }
}

test('one failure never opens it by default; five within 30 s do', () => {
  const circuit = createCircuit(DEFAULT_CIRCUIT)
  failTimes(circuit, 4)
  assert.equal(circuit.state(0), 'closed')
  failTimes(circuit, 1, 29_999)
  assert.equal(circuit.state(29_999), 'open')
})

test('failures further apart than the window do not add up', () => {
  const circuit = createCircuit(options)
  failTimes(circuit, 2)
  failTimes(circuit, 1, 1_000)
  assert.equal(circuit.state(1_000), 'closed')
  failTimes(circuit, 2, 1_500)
  assert.equal(circuit.state(1_500), 'open')
})

test('a completed reply forgives the failures before it; one that only began does not', () => {
  const circuit = createCircuit(options)
  failTimes(circuit, 2)
  circuit.completed()
  failTimes(circuit, 2)
  assert.equal(circuit.state(0), 'closed')
  circuit.opened()
  failTimes(circuit, 1)
  assert.equal(circuit.state(0), 'open')
})

test('open, nothing passes until it has cooled; then one does', () => {
  const circuit = createCircuit(options)
  failTimes(circuit, 3)
  assert.equal(circuit.pass(0), false)
  assert.equal(circuit.pass(499), false)
  assert.equal(circuit.state(500), 'half_open')
  assert.equal(circuit.pass(500), true)
  assert.equal(circuit.pass(500), false)
})

test('the probe decides: begun closes it, failed opens it again, abandoned lets another try', () => {
  for (const [outcome, after] of [
    ['opened', 'closed'],
    ['failed', 'open'],
    ['abandoned', 'half_open'],
  ] as const) {
    const circuit = createCircuit(options)
    failTimes(circuit, 3)
    assert.equal(circuit.pass(500), true)
    circuit[outcome](500)
    assert.equal(circuit.state(500), after, outcome)
    assert.equal(circuit.pass(500), outcome !== 'failed')
  }
})

test('a clock that is set back does not keep it open for longer than it cools', () => {
  const circuit = createCircuit(options)
  failTimes(circuit, 3, 1_000_000)
  assert.equal(circuit.state(1_000_000), 'open')
  assert.equal(circuit.state(0), 'half_open')
})

type Step =
  | { readonly kind: 'request'; readonly outcome: 'completed' | 'failed' | 'abandoned' }
  | { readonly kind: 'wait'; readonly forMs: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { kind: 'request' as const, outcome: 'failed' as const },
      { kind: 'request' as const, outcome: 'failed' as const },
      { kind: 'request' as const, outcome: 'completed' as const },
      { kind: 'request' as const, outcome: 'abandoned' as const },
    ),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), forMs: fc.nat(700) }) },
)

/** What it should be, told from the whole history: slow, but plain. */
function judge(history: readonly { readonly outcome: string; readonly atMs: number }[]) {
  let openedMs: number | undefined
  let recent: number[] = []
  for (const { outcome, atMs } of history) {
    if (outcome === 'completed') {
      recent = []
      openedMs = undefined
    }
    if (outcome !== 'failed') continue
    recent = [...recent.filter((failedMs) => atMs - failedMs < options.windowMs), atMs]
    if (openedMs === undefined && recent.length < options.failures) continue
    openedMs = atMs
    recent = []
  }
  return (nowMs: number): CircuitState => {
    if (openedMs === undefined) return 'closed'
    return nowMs - openedMs < options.coolDownMs ? 'open' : 'half_open'
  }
}

test('whatever happens, one request after the other, it is as its history says', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const circuit = createCircuit(options)
      const history: { outcome: string; atMs: number }[] = []
      let nowMs = 0
      for (const step of steps) {
        const state = judge(history)(nowMs)
        assert.equal(circuit.state(nowMs), state)
        if (step.kind === 'wait') {
          nowMs += step.forMs
          continue
        }
        assert.equal(circuit.pass(nowMs), state !== 'open')
        if (state === 'open') continue
        if (step.outcome === 'completed') circuit.opened()
        circuit[step.outcome](nowMs)
        history.push({ outcome: step.outcome, atMs: nowMs })
      }
    }),
    { numRuns: 500 },
  )
})
