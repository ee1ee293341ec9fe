import { formatEuros } from '#platform/money.ts'
import type {
  Accounts,
  ApiKeyTable,
  AuditSubject,
  AuditTable,
  OwnAuditPage,
} from '#accounts/index.ts'
import type { Alerts } from '#alerts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { PaymentRecords } from '#payments/index.ts'
import type { Account } from '../contract/index.ts'
import { writeSettings } from '../operator/alert-handlers.ts'
import { writeReceipt } from '../operator/key-handlers.ts'
import { writeMovement } from './movement-handlers.ts'
import { writeTopup } from '../payments/write-payment.ts'
import { readAll } from './read-all.ts'

export interface AccountDataTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly alerts: Alerts
  readonly paymentRecords: PaymentRecords
}

/** More receipts for payments than anybody has; all of them are a few megabytes. */
const MAX_DOCUMENTS = 10_000

/** All that is kept of one account. Its lists are read as they are written. */
export async function describeAccountData(
  tools: AccountDataTools,
  account: Account,
  readerId: string,
) {
  const { accounts, alerts } = tools
  const { id } = account
  return {
    account: { ...account, email: undefined, name: undefined },
    alerts: { ...writeSettings(await alerts.settings(id)), told: readTold(alerts, id) },
    keys: writeKeyData(accounts, id),
    ...describeMoney(tools, id),
    ...describeUse(tools, id),
    audit: writeAuditData(accounts, { accountId: id }, readerId),
  }
}

function describeMoney({ ledger, paymentRecords }: AccountDataTools, accountId: string) {
  return {
    movements: mapped(
      readAll(
        (before: Parameters<Ledger['movements']>[1]['before'], limit) =>
          ledger.movements(accountId, { before, limit }),
        ({ atMs, reference }) => ({ atMs, reference }),
      ),
      writeMovement,
    ),
    topups: mapped(
      readAll(
        (before: string | undefined, limit) => paymentRecords.topups(accountId, before, limit),
        ({ id }) => id,
      ),
      (topup) => ({
        ...writeTopup(topup),
        session_id: topup.session_id,
        payment_id: topup.payment_id,
        suspended_account: topup.suspended_account === 1,
      }),
    ),
    documents: readDocuments(paymentRecords, accountId),
  }
}

async function* readDocuments(records: PaymentRecords, accountId: string) {
  for (const row of await records.documents(accountId, MAX_DOCUMENTS)) {
    const { amount_nano: amount, account_id: _account, ...document } = row
    yield {
      ...document,
      amount_eur: formatEuros(amount),
      seller: JSON.parse(document.seller) as unknown,
    }
  }
}

function describeUse({ ledger }: AccountDataTools, accountId: string) {
  return {
    days: mapped(
      readAll(
        (before: Parameters<Ledger['dayTotals']>[1]['before'], limit) =>
          ledger.dayTotals(accountId, { before, limit }),
        ({ day, brand, key_id }) => ({ day, brand, key_id }),
      ),
      ({ account_id: _account, charged_nano: cost, written_off_nano: writtenOff, ...total }) => ({
        ...total,
        cost_eur: formatEuros(cost),
        written_off_eur: formatEuros(writtenOff),
      }),
    ),
    requests: mapped(
      readAll(
        (before: string | undefined, limit) => ledger.receipts(accountId, { before, limit }),
        ({ request_id: id }) => id,
      ),
      (row) => ({ ...writeReceipt(row), day: row.day, charged_at: row.charged_at }),
    ),
  }
}

async function* readTold(alerts: Alerts, accountId: string) {
  const told = readAll(
    (after: Awaited<ReturnType<Alerts['told']>>[number] | undefined, limit) =>
      alerts.told(accountId, after, limit),
    (row) => row,
  )
  for await (const { account_id: _account, ...row } of told) yield row
}

async function* writeKeyData(accounts: Accounts, accountId: string) {
  const keys = readAll(
    (before: string | undefined, limit) => accounts.keys(accountId, { before, limit }),
    ({ id }: ApiKeyTable) => id,
  )
  for await (const row of keys) {
    const { hash: _secret, account_id: _account, daily_ceiling_nano: ceiling, ...key } = row
    yield { ...key, daily_ceiling_eur: ceiling === null ? null : formatEuros(ceiling) }
  }
}

export function writeAuditData(accounts: Accounts, subject: AuditSubject, readerId: string) {
  return writeEntries((page) => accounts.ownAudit(subject, page), readerId)
}

/** What somebody else did is told without where they were. */
export async function* writeEntries(
  read: (page: OwnAuditPage) => Promise<AuditTable[]>,
  readerId: string,
) {
  const entries = readAll(
    (after: OwnAuditPage['after'], limit) => read({ after, limit }),
    ({ at, id }) => ({ atMs: at, id }),
  )
  for await (const { address, user_agent: userAgent, ...entry } of entries) {
    const isOwn = entry.acted_as === 'person' && entry.actor === readerId
    yield {
      ...entry,
      actor: entry.acted_as === 'operator' ? 'operator' : entry.actor,
      details: JSON.parse(entry.details) as unknown,
      ...(isOwn && { address, user_agent: userAgent }),
    }
  }
}

async function* mapped<Row, Written>(
  rows: AsyncIterable<Row>,
  write: (row: Row) => Written,
): AsyncGenerator<Written> {
  for await (const row of rows) yield write(row)
}
