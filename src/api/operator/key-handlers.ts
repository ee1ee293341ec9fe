import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import type { Accounts, ApiKeyTable } from '#accounts/index.ts'
import type { Ledger, ReceiptTable } from '#ledger/index.ts'
import type { ApiKey, CreatedKey, Receipt } from '../contract/index.ts'
import { accountIdOf, noSuchAccount } from './account-handlers.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

export interface KeyTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
}

/** What hangs on one account: its keys, its receipts. */
export function createKeyHandlers({ accounts, ledger }: KeyTools) {
  async function knownAccountId(request: FastifyRequest): Promise<string> {
    const accountId = accountIdOf(request)
    if (!(await accounts.find(accountId))) throw noSuchAccount()
    return accountId
  }

  return {
    async createKey(request: FastifyRequest, reply: FastifyReply) {
      const accountId = await knownAccountId(request)
      const { name } = request.body as { name: string }
      const { key, row } = await accounts.createKey(accountId, name, request.actor)
      return reply.code(201).send({ ...writeKeyFields(row), key } satisfies CreatedKey)
    },
    async listKeys(request: FastifyRequest) {
      const accountId = await knownAccountId(request)
      const { before, limit } = readPage(request.query as PageQuery)
      const rows = await accounts.keys(accountId, { before, limit: limit + 1 })
      const page = writePage(rows, limit, (row) => row.id)
      return { ...page, data: page.data.map(writeKey) }
    },
    async revokeKey(request: FastifyRequest, reply: FastifyReply) {
      const accountId = await knownAccountId(request)
      const { key_id: keyId } = request.params as { key_id: string }
      if (!(await accounts.revokeKey(accountId, keyId, request.actor))) {
        throw noSuchKey()
      }
      return reply.code(204).send()
    },
    async listReceipts(request: FastifyRequest) {
      const accountId = await knownAccountId(request)
      const { before, limit } = readPage(request.query as PageQuery)
      const rows = await ledger.receipts(accountId, { before, limit: limit + 1 })
      const page = writePage(rows, limit, (row) => row.request_id)
      return { ...page, data: page.data.map(writeReceipt) }
    },
  }
}

export function noSuchKey(): Fault {
  return new Fault('not_found', 'This account has no key with this id.')
}

export function writeKeyFields(row: ApiKeyTable) {
  const { id, name, prefix, last_four, created_at } = row
  return { id, name, prefix, last_four, created_at }
}

export function writeKey(row: ApiKeyTable): ApiKey {
  return { ...writeKeyFields(row), kind: row.kind, revoked_at: row.revoked_at }
}

export function writeReceipt(row: ReceiptTable): Receipt {
  return {
    request_id: row.request_id,
    key_id: row.key_id,
    brand: row.brand,
    model: row.model,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cost_eur: formatEuros(row.charged_nano),
    written_off_eur: formatEuros(row.written_off_nano),
    usage_source: row.usage_source,
    finish_reason: row.finish_reason,
    ended: row.ended,
    created_at: row.created_at,
    duration_ms: row.duration_ms,
    first_token_ms: row.first_token_ms,
  }
}
