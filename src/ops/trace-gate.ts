import type { Tracer } from '@opentelemetry/api'
import type { Gate } from '#gate/index.ts'
import { runInSpan } from './run-in-span.ts'

/** The same gate, with a span around each admission. */
export function traceGate(gate: Gate, tracer: Tracer): Gate {
  return {
    admit: (request) =>
      runInSpan(tracer, 'gate admit', async (span) => {
        const admission = await gate.admit(request)
        span.setAttribute('parley.admission', admission.kind)
        if (admission.kind === 'refused') {
          span.setAttribute('parley.limit', admission.refusal.limit)
        }
        return admission
      }),
    settle: (hold, settlement) => gate.settle(hold, settlement),
    release: (hold) => gate.release(hold),
    recognise: (keyHash, maxAgeMs) => gate.recognise(keyHash, maxAgeMs),
    look: (accountId) => gate.look(accountId),
    held: (accountIds) => gate.held(accountIds),
    forgetKey: (keyHash) => gate.forgetKey(keyHash),
    forgetAccount: (accountId) => gate.forgetAccount(accountId),
    close: () => gate.close(),
  }
}
