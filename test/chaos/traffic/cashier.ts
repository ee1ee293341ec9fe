import { setTimeout as delay } from 'node:timers/promises'
import type { Operator } from '../world/operator.ts'
import { readEuros, type RoundAccount } from './accounts.ts'

/** Pays small sums in through every storm, each until it is told that it was booked. */
export interface Cashier {
  /** What the account must have been given in all, once every sum has been taken. */
  paidNano(): bigint
  /** Statuses that were neither a success nor "try again". */
  readonly surprises: readonly string[]
  stop(): Promise<void>
}

const SUM = '0.000100001'
const PAUSE_MS = 60
/** In the end, when nothing is broken any more. */
const LAST_WAIT_MS = 5_000

export function startCashier(operator: Operator, account: RoundAccount, round: string): Cashier {
  const surprises: string[] = []
  let paid = 0
  const stopping = new AbortController()
  let giveUpAtMs = Number.POSITIVE_INFINITY

  /** The same reference each time: however often it arrives, it counts once. */
  async function pay(reference: string): Promise<void> {
    const body = { kind: 'grant', amount_eur: SUM, reference }
    while (performance.now() < giveUpAtMs) {
      const status = await operator.tell('POST', `/accounts/${account.accountId}/credits`, body)
      if (status === 200 || status === 201) {
        paid += 1
        return
      }
      if (status !== undefined && status !== 503) surprises.push(`a credit was answered ${status}`)
      await delay(PAUSE_MS)
    }
    surprises.push('a credit is not taken though the storm is over')
  }

  async function run(): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      await pay(`till ${round} ${count}`)
      await delay(PAUSE_MS)
    }
  }

  const running = run()
  return {
    paidNano: () => BigInt(paid) * readEuros(SUM),
    surprises,
    async stop() {
      stopping.abort()
      giveUpAtMs = performance.now() + LAST_WAIT_MS
      await running
    },
  }
}
