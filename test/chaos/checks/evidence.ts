import type { Measurement } from '../service/orders.ts'
import type { RoundAccount } from '../traffic/accounts.ts'
import { readEuros } from '../traffic/accounts.ts'
import type { Attempt } from '../traffic/attempt.ts'
import { listAllReceipts, type Operator, type Receipt } from '../world/operator.ts'
import type { World } from '../world/world.ts'

/** What was seen of a round from both sides: by its clients, and in the books. */
export interface Evidence {
  readonly accounts: readonly AccountEvidence[]
  /** What the books say is wrong with them. */
  readonly discrepancies: readonly string[]
  readonly hasSpilled: boolean
  readonly measurements: readonly Measurement[]
}

export interface AccountEvidence {
  readonly account: RoundAccount
  readonly attempts: readonly Attempt[]
  /** All that was ever paid in, and given. */
  readonly creditedNano: bigint
  readonly balanceNano: bigint
  readonly heldNano: bigint
  readonly receipts: readonly Receipt[]
  readonly inDoubt: boolean
  readonly mayOverspend: boolean
}

/** What clients and cashier of a round know. */
export interface Witness {
  readonly accounts: readonly RoundAccount[]
  readonly attempts: readonly Attempt[]
  /** Of one account or another, while the round was under way. */
  readonly paidIn: ReadonlyMap<string, bigint>
  /**
   * True where the store did what it reported as failed while no file could be written: then nobody
   * but the store can know whether a refused reply was charged.
   */
  readonly inDoubt: boolean
  /**
   * True where a replica was taken for dead, or the database crashed: what was held may have been
   * given back before its charge came, and others may have spent it.
   */
  readonly mayOverspend: boolean
}

export async function gatherEvidence(
  world: World,
  operator: Operator,
  witness: Witness,
): Promise<Evidence> {
  const accounts: AccountEvidence[] = []
  for (const account of witness.accounts) {
    accounts.push(await lookInto(operator, account, witness))
  }
  const { discrepancies } = await operator.call<{ discrepancies: readonly string[] }>(
    'GET',
    '/ledger/verify',
  )
  const measurements = await world.measure()
  return { accounts, discrepancies, hasSpilled: world.hasSpilled(), measurements }
}

async function lookInto(
  operator: Operator,
  account: RoundAccount,
  { attempts, paidIn, inDoubt, mayOverspend }: Witness,
): Promise<AccountEvidence> {
  const { accountId } = account
  const seen = await operator.call<{ balance_eur: string; held_eur: string }>(
    'GET',
    `/accounts/${accountId}`,
  )
  return {
    account,
    attempts: attempts.filter((attempt) => attempt.account === account),
    creditedNano: account.creditedNano + (paidIn.get(accountId) ?? 0n),
    balanceNano: readEuros(seen.balance_eur),
    heldNano: readEuros(seen.held_eur),
    receipts: await listAllReceipts(operator, accountId),
    inDoubt,
    mayOverspend,
  }
}
