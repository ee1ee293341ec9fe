import { Fault } from '#platform/fault.ts'
import type { Admission, Gate, Hold } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Model, Models } from '#models/index.ts'
import type { Arrival, Attempt, ChatCall, Exchange } from './exchange.ts'
import { prepareCall, type Prepared } from './prepare.ts'
import { describeRefusal } from './refusals.ts'

export interface AdmitTools {
  readonly gate: Gate
  readonly ledger: Pick<Ledger, 'available'>
  readonly models: Models
  readonly identity: string
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
  const { keyHash } = arrival
  if (!ledger.available()) return { kind: 'refused', fault: storeAway(), allowance: undefined }
  if (asked instanceof Fault) return reject(await gate.admit({ keyHash, wanted: null }), asked)
  const model = models.get(asked.brand)
  const prepared = prepareCall(asked, model, identity.replaceAll('{model}', model.id))
  if (prepared instanceof Fault) {
    return reject(await gate.admit({ keyHash, wanted: null }), prepared)
  }
  const wanted = { cost: prepared.worstCost, tokens: prepared.worstTokens }
  const admission = await gate.admit({ keyHash, wanted })
  if (admission.kind !== 'admitted') return reject(admission)
  const { hold, allowance } = admission
  return { kind: 'admitted', exchange: { ...begin(arrival, model, prepared, hold), allowance } }
}

function begin(
  arrival: Arrival,
  model: Model,
  { request, promptEstimate }: Prepared,
  hold: Hold,
): Omit<Exchange, 'allowance'> {
  return {
    arrival,
    model,
    hold,
    request,
    promptEstimate,
    cancel: new AbortController(),
    left: false,
  }
}

/** `fault` is what was wrong with the call itself; a limit met before it is told instead. */
function reject(admission: Admission, fault?: Fault): Attempt {
  switch (admission.kind) {
    case 'unknown':
    case 'suspended':
      return { kind: 'refused', fault: describeUnrecognised(admission.kind), allowance: undefined }
    case 'refused': {
      const { refusal, allowance } = admission
      return { kind: 'refused', fault: describeRefusal(refusal, allowance), allowance }
    }
    case 'counted':
    case 'admitted':
      if (!fault) throw new Error('a call with nothing wrong was only counted')
      return { kind: 'refused', fault, allowance: admission.allowance }
  }
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
      : 'This API key is missing, malformed or revoked. Send it as "Authorization: Bearer <key>".',
  )
}
