import type { NanoEuro } from '#platform/money.ts'
import type { PostgresStore, Statement } from '#platform/store/index.ts'
import { describeLook } from './describe-look.ts'
import type { Look, Standing } from './gate.ts'
import type { TierNumber } from './tiers.ts'

/** An account without a row at the gate has called nobody yet: its window is over. */
const lookStatement: Statement = {
  name: 'look_at_account',
  text: `
    select a.suspended, a.min_tier, a.daily_ceiling_nano, b.balance_nano, b.deposits_nano,
      b.spent_day, b.spent_nano, b.version,
      coalesce(g.window_start, -60000) as window_start, coalesce(g.requests, 0) as requests,
      coalesce(g.tokens, 0) as tokens, coalesce(g.held_nano, 0) as held_nano,
      coalesce($2::bigint, epoch_ms()) as at_ms
    from account a
    join balance b on b.account_id = a.id
    left join gate_account g on g.account_id = a.id
    where a.id = $1`,
}

interface LookRow {
  readonly suspended: number
  readonly min_tier: TierNumber
  readonly daily_ceiling_nano: NanoEuro | null
  readonly balance_nano: NanoEuro
  readonly deposits_nano: NanoEuro
  readonly spent_day: string
  readonly spent_nano: NanoEuro
  readonly version: number
  readonly window_start: number
  readonly requests: number
  readonly tokens: number
  readonly held_nano: NanoEuro
  readonly at_ms: number
}

/** Reads an account with its window and holds in one statement, so that they are of one moment. */
export async function lookAtAccount(
  store: Pick<PostgresStore, 'call'>,
  accountId: string,
  givenMs: number | null,
): Promise<Look> {
  const [row] = await store.call<LookRow>(lookStatement, [accountId, givenMs])
  if (!row) throw new Error(`account ${accountId} is not there, or has no balance`)
  const { window_start: windowStartMs, requests, tokens, held_nano: held } = row
  const standing = readStanding(row)
  return describeLook({ standing, windowStartMs, requests, tokens, held }, row.at_ms)
}

function readStanding(row: LookRow): Standing {
  return {
    suspended: row.suspended === 1,
    minTier: row.min_tier,
    ceiling: row.daily_ceiling_nano,
    funds: {
      balance: row.balance_nano,
      deposits: row.deposits_nano,
      spentDay: row.spent_day,
      spent: row.spent_nano,
      version: row.version,
    },
  }
}
