import { Fault } from '#platform/fault.ts'
import type { Log } from '#platform/log.ts'
import type { Gate } from '#gate/index.ts'
import type { Charge, Charged, Charging, Ledger } from '#ledger/index.ts'
import type { Exchange } from './exchange.ts'
import type { FinishReason } from './map-finish-reason.ts'
import type { Relayed } from './relay.ts'
import { priceUsage, type Usage } from './usage.ts'

export interface SettleTools {
  readonly gate: Gate
  readonly ledger: Ledger
  readonly log: Log
}

const NOTHING: Usage = { promptTokens: 0, completionTokens: 0 }

/**
 * Charges what a reply used and gives back its hold. When this resolves, the charge is durable: only
 * then may the reply end.
 */
export async function settleReply(
  tools: SettleTools,
  exchange: Exchange,
  relayed: Relayed,
): Promise<void> {
  const { usage, source } = relayed.tallied
  await charge(tools, exchange, usage, {
    usageSource: source,
    finishReason: relayed.ended === 'client_left' ? null : relayed.finishReason,
    ended: relayed.ended,
    firstTokenMs: elapsedMs(exchange, relayed.firstTokenAtMs),
  })
}

/** Settles a request that reached an upstream and got nothing it has to pay for. */
export async function settleForNothing(
  tools: SettleTools,
  exchange: Exchange,
  ended: 'client_left' | 'upstream_failed',
): Promise<void> {
  await charge(tools, exchange, NOTHING, {
    usageSource: 'counted',
    finishReason: ended === 'upstream_failed' ? 'error' : null,
    ended,
    firstTokenMs: null,
  })
}

/** Gives the hold back where no upstream was reached: nothing happened that a receipt could tell. */
export async function release({ gate }: SettleTools, exchange: Exchange): Promise<void> {
  exchange.allowance = await gate.release(exchange.hold)
}

type Circumstances = Pick<Charge, 'usageSource' | 'ended' | 'firstTokenMs'> & {
  readonly finishReason: FinishReason | null
}

async function charge(
  tools: SettleTools,
  exchange: Exchange,
  usage: Usage,
  circumstances: Circumstances,
): Promise<void> {
  const charging = await makeDurable(tools, exchange, usage, circumstances)
  const settle = ({ funds, keySpent, writtenOff, alongside }: Charged): void => {
    const tokens = usage.promptTokens + usage.completionTokens
    const settlement = { tokens, funds, keySpent, alongside }
    exchange.allowance = tools.gate.settle(exchange.hold, settlement)
    if (writtenOff === 0) return
    const { requestId } = exchange.arrival
    tools.log.warn({ request_id: requestId, written_off_nano: writtenOff }, 'written off')
  }
  if (charging.kind === 'booked') return settle(charging.charged)
  // The money is spent though the books do not say so yet: until they do, it stays held.
  void charging.booked.then(settle)
}

async function makeDurable(
  { gate, ledger }: SettleTools,
  exchange: Exchange,
  usage: Usage,
  circumstances: Circumstances,
): Promise<Charging> {
  const { arrival, hold, model } = exchange
  try {
    return await ledger.charge({
      requestId: arrival.requestId,
      accountId: hold.accountId,
      keyId: hold.keyId,
      needsKeySpent: hold.needsKeySpent,
      brand: model.brand,
      model: model.id,
      ...usage,
      ...circumstances,
      cost: priceUsage(usage, model.rates),
      createdAtMs: arrival.atMs,
      durationMs: Math.round(performance.now() - arrival.monotonicMs),
    })
  } catch (cause) {
    exchange.allowance = await gate.release(hold)
    throw new Fault('model_unavailable', 'The service cannot book this request now; try again.', {
      reason: 'the charge could not be made durable',
      cause,
    })
  }
}

function elapsedMs({ arrival }: Exchange, atMs: number | undefined): number | null {
  return atMs === undefined ? null : Math.max(0, Math.round(atMs - arrival.monotonicMs))
}
