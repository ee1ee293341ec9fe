import { trace, type Span, type Tracer } from '@opentelemetry/api'
import type { Charge, Ledger } from '#ledger/index.ts'
import { failSpan, runInSpan } from './run-in-span.ts'

/** The same ledger, with a span around each charge; the request's own span tells what was charged for. */
export function traceLedger(ledger: Ledger, tracer: Tracer): Ledger {
  return {
    ...ledger,
    charge(charge) {
      const request = trace.getActiveSpan()
      if (request) describeReply(request, charge)
      return runInSpan(tracer, 'ledger charge', async (span) => {
        const charging = await ledger.charge(charge)
        span.setAttribute('parley.charging', charging.kind)
        return charging
      })
    },
  }
}

/** Nothing comes of it where the client has left: its span has ended, and only the receipt tells more. */
function describeReply(span: Span, charge: Charge): void {
  if (!span.isRecording()) return
  span.setAttributes({
    'gen_ai.usage.input_tokens': charge.promptTokens,
    'gen_ai.usage.output_tokens': charge.completionTokens,
    'parley.usage_source': charge.usageSource,
    'parley.ended': charge.ended,
  })
  if (charge.finishReason !== null) {
    span.setAttribute('gen_ai.response.finish_reasons', [charge.finishReason])
  }
  if (charge.firstTokenMs !== null) {
    span.setAttribute('gen_ai.response.time_to_first_chunk', charge.firstTokenMs / 1_000)
  }
  // A stream that broke off was answered with 200: no status tells that it failed.
  if (charge.ended === 'upstream_failed') failSpan(span, charge.ended)
}
