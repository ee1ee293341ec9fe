import type { Charge, Charged, Ledger } from '#ledger/index.ts'
import type { Metrics } from './metrics.ts'

/** The same ledger, whose charges are counted; so many of an earlier run could not be booked. */
export function measureLedger(ledger: Ledger, metrics: Metrics, left: number): Ledger {
  metrics.waiting.set(left)
  return {
    ...ledger,
    async charge(charge) {
      const startedMs = performance.now()
      const charging = await ledger.charge(charge)
      metrics.commits.observe((performance.now() - startedMs) / 1_000)
      countReply(metrics, charge)
      if (charging.kind === 'booked') countMoney(metrics, charge, charging.charged)
      else {
        metrics.spilled.inc()
        metrics.waiting.inc()
        // What a closed service leaves in its file the next one books, and counts nothing.
        charging.booked.then(
          (charged) => {
            metrics.waiting.dec()
            countMoney(metrics, charge, charged)
          },
          () => {},
        )
      }
      return charging
    },
  }
}

function countReply(metrics: Metrics, charge: Charge): void {
  const { brand, model, ended, usageSource, firstTokenMs, durationMs } = charge
  const named = { gen_ai_request_model: model }
  metrics.replies.inc({ brand, ended, usage_source: usageSource })
  metrics.durations.observe(named, durationMs / 1_000)
  if (firstTokenMs !== null) metrics.firstTokens.observe(named, firstTokenMs / 1_000)
  metrics.tokens.observe({ ...named, gen_ai_token_type: 'input' }, charge.promptTokens)
  metrics.tokens.observe({ ...named, gen_ai_token_type: 'output' }, charge.completionTokens)
}

function countMoney(metrics: Metrics, { brand }: Charge, charged: Charged): void {
  metrics.charged.inc({ brand }, charged.charged)
  metrics.writtenOff.inc({ brand }, charged.writtenOff)
}
