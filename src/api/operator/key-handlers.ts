import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import { formatEuros } from '#platform/money.ts'
import type { Accounts, RollWish } from '#accounts/index.ts'
import type { Ledger, ReceiptTable } from '#ledger/index.ts'
import type { Receipt } from '../contract/index.ts'
import { accountIdOf, noSuchAccount } from './account-handlers.ts'
import { changeKey, replaceKey, type KeyRollBody } from './change-key.ts'
import {
  noSuchKey,
  readNewKey,
  writeCreatedKey,
  writeKeys,
  type KeyChangeBody,
  type NewKeyBody,
} from './key-bodies.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

export interface KeyTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly clock: Clock
}

/** What hangs on one account: its keys, its receipts. */
export function createKeyHandlers(tools: KeyTools) {
  const { accounts, ledger } = tools

  async function knownAccountId(request: FastifyRequest): Promise<string> {
    const accountId = accountIdOf(request)
    if (!(await accounts.find(accountId))) throw noSuchAccount()
    return accountId
  }

  return {
    async createKey(request: FastifyRequest, reply: FastifyReply) {
      const accountId = await knownAccountId(request)
      const wanted = readNewKey(request.body as NewKeyBody, tools.clock)
      const created = await accounts.createKey(accountId, wanted, request.actor)
      return reply.code(201).send(writeCreatedKey(created))
    },
    async listKeys(request: FastifyRequest) {
      const accountId = await knownAccountId(request)
      const { before, limit } = readPage(request.query as PageQuery)
      const rows = await accounts.keys(accountId, { before, limit: limit + 1 })
      const page = writePage(rows, limit, (row) => row.id)
      return { ...page, data: await writeKeys(tools, accountId, page.data) }
    },
    async updateKey(request: FastifyRequest) {
      const place = { accountId: await knownAccountId(request), keyId: keyIdOf(request) }
      return changeKey(tools, place, request.body as KeyChangeBody, request.actor)
    },
    async rollKey(request: FastifyRequest, reply: FastifyReply) {
      const place = { accountId: await knownAccountId(request), keyId: keyIdOf(request) }
      const roll = (wish: RollWish) => accounts.rollKey(place, wish, request.actor)
      return reply.code(201).send(await replaceKey(roll, request.body as KeyRollBody, tools.clock))
    },
    async revokeKey(request: FastifyRequest, reply: FastifyReply) {
      const accountId = await knownAccountId(request)
      if (!(await accounts.revokeKey(accountId, keyIdOf(request), request.actor))) {
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

export function keyIdOf(request: FastifyRequest): string {
  return (request.params as { key_id: string }).key_id
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
