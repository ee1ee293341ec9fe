import type { Gate } from '#gate/index.ts'
import type { Metrics } from './metrics.ts'

/** The same gate, whose refusals are counted and whose holds are added up. */
export function measureGate(gate: Gate, { refusals, held }: Metrics): Gate {
  return {
    async admit(request) {
      const admission = await gate.admit(request)
      if (admission.kind === 'admitted') held.inc(admission.hold.cost)
      if (admission.kind === 'refused') refusals.inc({ limit: admission.refusal.limit })
      return admission
    },
    settle(hold, settlement) {
      held.dec(hold.cost)
      return gate.settle(hold, settlement)
    },
    release(hold) {
      held.dec(hold.cost)
      return gate.release(hold)
    },
    recognise: (keyHash, maxAgeMs) => gate.recognise(keyHash, maxAgeMs),
    look: (accountId) => gate.look(accountId),
    held: (accountIds) => gate.held(accountIds),
    forgetKey: (keyHash) => gate.forgetKey(keyHash),
    forgetAccount: (accountId) => gate.forgetAccount(accountId),
    close: () => gate.close(),
  }
}
