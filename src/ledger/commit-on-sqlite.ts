import type { Funds } from '#platform/funds.ts'
import { addNano, maxNano, minNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import type { SqliteProcedure, StatementCache } from '#platform/store/index.ts'
import type { Charge, Charged } from './charge.ts'
import type { ChargeBatch } from './charge-batch.ts'
import { BOOKS } from './tables.ts'

interface BalanceRow {
  readonly balance_nano: NanoEuro
  readonly deposits_nano: NanoEuro
  readonly spent_day: string
  readonly spent_nano: NanoEuro
  readonly version: number
}

/**
 * Commits the charges of all replies that ended at the same moment: for each its receipt, its
 * transfers, the day's total and the account's funds. Runs in the database's thread.
 */
export const procedure: SqliteProcedure<ChargeBatch, Charged[]> = (statements, batch) =>
  batch.charges.map((charge) => commitCharge(statements, charge, batch))

function commitCharge(statements: StatementCache, charge: Charge, batch: ChargeBatch): Charged {
  const funds = readFunds(statements, charge.accountId)
  // A charge takes no balance below zero: what it cannot pay is the operator's loss, booked as such.
  const charged = minNano(charge.cost, maxNano(funds.balance, ZERO))
  const writtenOff = subtractNano(charge.cost, charged)
  // A clock that was set back must not reopen a day whose total has been closed.
  const day = batch.day > funds.spentDay ? batch.day : funds.spentDay
  if (!insertReceipt(statements, charge, { charged, writtenOff, day, atMs: batch.atMs })) {
    const before = readCharged(statements, charge.requestId)
    return { ...before, funds, ...readKeySpent(statements, charge, funds.spentDay) }
  }
  bookTransfers(statements, charge, { charged, writtenOff, atMs: batch.atMs })
  addToDay(statements, charge, { charged, writtenOff, day })
  const spentBefore = day === funds.spentDay ? funds.spent : ZERO
  const after: Funds = {
    balance: subtractNano(funds.balance, charged),
    deposits: funds.deposits,
    spentDay: day,
    spent: addNano(spentBefore, charged),
    version: funds.version + 1,
  }
  writeFunds(statements, charge.accountId, after)
  return { charged, writtenOff, funds: after, ...readKeySpent(statements, charge, day) }
}

function readFunds(statements: StatementCache, accountId: string): Funds {
  const row = statements
    .prepare(
      'select balance_nano, deposits_nano, spent_day, spent_nano, version from balance where account_id = ?',
    )
    .get(accountId) as BalanceRow | undefined
  if (!row) throw new Error(`account ${accountId} has no balance`)
  return {
    balance: row.balance_nano,
    deposits: row.deposits_nano,
    spentDay: row.spent_day,
    spent: row.spent_nano,
    version: row.version,
  }
}

function writeFunds(statements: StatementCache, accountId: string, funds: Funds): void {
  statements
    .prepare(
      'update balance set balance_nano = ?, spent_day = ?, spent_nano = ?, version = ? where account_id = ?',
    )
    .run(funds.balance, funds.spentDay, funds.spent, funds.version, accountId)
}

interface Outcome {
  readonly charged: NanoEuro
  readonly writtenOff: NanoEuro
  readonly atMs: number
  readonly day: string
}

/** False where this request has its receipt already: a repeated commit charges nothing. */
function insertReceipt(statements: StatementCache, charge: Charge, outcome: Outcome): boolean {
  const { changes } = statements
    .prepare(
      `insert into receipt (
        request_id, account_id, key_id, brand, model, prompt_tokens, completion_tokens, usage_source,
        charged_nano, written_off_nano, finish_reason, ended, day, created_at, charged_at, duration_ms,
        first_token_ms
      ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    )
    .run(
      charge.requestId,
      charge.accountId,
      charge.keyId,
      charge.brand,
      charge.model,
      charge.promptTokens,
      charge.completionTokens,
      charge.usageSource,
      outcome.charged,
      outcome.writtenOff,
      charge.finishReason,
      charge.ended,
      outcome.day,
      charge.createdAtMs,
      outcome.atMs,
      charge.durationMs,
      charge.firstTokenMs,
    )
  return changes === 1
}

function readCharged(
  statements: StatementCache,
  requestId: string,
): Pick<Charged, 'charged' | 'writtenOff'> {
  const row = statements
    .prepare('select charged_nano, written_off_nano from receipt where request_id = ?')
    .get(requestId) as { charged_nano: NanoEuro; written_off_nano: NanoEuro }
  return { charged: row.charged_nano, writtenOff: row.written_off_nano }
}

/** After the charge: whoever asks keeps it beside the funds of the same version. */
function readKeySpent(
  statements: StatementCache,
  { accountId, keyId, needsKeySpent }: Charge,
  day: string,
): Pick<Charged, 'keySpent'> {
  if (!needsKeySpent) return {}
  const row = statements
    .prepare(
      `select coalesce(sum(charged_nano), 0) as spent_nano from account_day
      where account_id = ? and day = ? and key_id = ?`,
    )
    .get(accountId, day, keyId) as { spent_nano: NanoEuro }
  return { keySpent: row.spent_nano }
}

function bookTransfers(
  statements: StatementCache,
  { requestId, accountId }: Charge,
  { charged, writtenOff, atMs }: Omit<Outcome, 'day'>,
): void {
  const book = statements.prepare(
    'insert into transfer (reference, debit, credit, amount_nano, kind, created_at) values (?, ?, ?, ?, ?, ?)',
  )
  if (charged > 0) {
    book.run(`charge:${requestId}`, accountId, BOOKS.revenue, charged, 'charge', atMs)
  }
  if (writtenOff > 0) {
    const reference = `write_off:${requestId}`
    book.run(reference, BOOKS.writtenOff, BOOKS.revenue, writtenOff, 'write_off', atMs)
  }
}

function addToDay(
  statements: StatementCache,
  charge: Charge,
  { charged, writtenOff, day }: Omit<Outcome, 'atMs'>,
): void {
  statements
    .prepare(
      `insert into account_day (
        account_id, day, brand, key_id, requests, prompt_tokens, completion_tokens, charged_nano, written_off_nano
      ) values (?, ?, ?, ?, 1, ?, ?, ?, ?)
      on conflict (account_id, day, brand, key_id) do update set
        requests = requests + 1,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens,
        charged_nano = charged_nano + excluded.charged_nano,
        written_off_nano = written_off_nano + excluded.written_off_nano`,
    )
    .run(
      charge.accountId,
      day,
      charge.brand,
      charge.keyId,
      charge.promptTokens,
      charge.completionTokens,
      charged,
      writtenOff,
    )
}
