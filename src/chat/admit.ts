import { Fault } from '#platform/fault.ts'
import type { Admission, Gate } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Models } from '#models/index.ts'
import type { Arrival, Attempt, ChatCall, Exchange } from './exchange.ts'
import { prepareCall, type Prepared } from './prepare.ts'
import { describeRefusal } from './refusals.ts'

export interface AdmitTools {
  readonly gate: Gate
  readonly ledger: Pick<Ledger, 'available'>
  readonly models: Models
  /** The service's own system message as it is now. */
  readonly identity: () => string
}

/**
 * Every request of a known key counts, so what is wrong with a call is told only after the gate has
 * counted it.
 */
export async function admit(
  { gate, ledger, models, identity }: AdmitTools,
  arrival: Arrival,
  asked: ChatCall | Fault,
): Promise<Attempt> {
  if (!ledger.available()) return { kind: 'refused', fault: storeAway(), allowance: undefined }
  const prepared =
    asked instanceof Fault ? asked : prepareCall(asked, models.get(asked.brand), identity())
  const wanted = prepared instanceof Fault ? null : prepared.worstCase
  const { keyHash, requestId } = arrival
  const admission = await gate.admit({ keyHash, requestId, wanted })
  switch (admission.kind) {
    case 'unknown':
    case 'suspended':
      return { kind: 'refused', fault: describeUnrecognised(admission.kind), allowance: undefined }
    case 'refused': {
      const { refusal, allowance } = admission
      return { kind: 'refused', fault: describeRefusal(refusal, allowance), allowance }
    }
    case 'counted':
      if (prepared instanceof Fault) {
        return { kind: 'refused', fault: prepared, allowance: admission.allowance }
      }
      throw new Error('a call with nothing wrong was not held for')
    case 'admitted':
      if (prepared instanceof Fault) throw new Error('a call with something wrong was held for')
      return { kind: 'admitted', exchange: begin(arrival, prepared, admission) }
  }
}

function begin(
  arrival: Arrival,
  { model, request, promptEstimate }: Prepared,
  { hold, allowance }: Admission & { kind: 'admitted' },
): Exchange {
  const cancel = new AbortController()
  return { arrival, model, hold, request, promptEstimate, cancel, allowance, left: false }
}

/** What cannot be paid must not be begun: fail closed. */
function storeAway(): Fault {
  return new Fault(
    'model_unavailable',
    'The service cannot book requests now; try again shortly.',
    {
      reason: 'the store is away',
    },
  )
}

/** Says why a key opens nothing. */
export function describeUnrecognised(kind: 'unknown' | 'suspended'): Fault {
  return new Fault(
    'invalid_api_key',
    kind === 'suspended'
      ? "This API key's account is suspended. Contact the operator."
      : 'This API key is missing, malformed, expired or revoked. Send it as "Authorization: Bearer <key>".',
  )
}
