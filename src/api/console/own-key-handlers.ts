import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { MAX_LIVE_KEYS } from '#accounts/index.ts'
import type { CreatedKey, OwnKey } from '../contract/index.ts'
import { noSuchKey, writeKey, writeKeyFields, type KeyTools } from '../operator/key-handlers.ts'
import { readPage, writePage, type PageQuery } from '../operator/pages.ts'
import { sessionOf } from './authenticate-session.ts'
import { findAskedAccount } from './find-own-account.ts'

/** The keys of a person's own account. */
export function createOwnKeyHandlers({ accounts, ledger }: KeyTools) {
  return {
    async listOwnKeys(request: FastifyRequest) {
      const { id: accountId } = await findAskedAccount(accounts, request)
      const { before, limit } = readPage(request.query as PageQuery)
      const rows = await accounts.keys(accountId, { before, limit: limit + 1 })
      const page = writePage(rows, limit, (row) => row.id)
      const keyIds = page.data.map(({ id }) => id)
      const lastDays = await ledger.lastDays(accountId, keyIds)
      const data: OwnKey[] = page.data.map((row) => ({
        ...writeKey(row),
        last_used_on: lastDays.get(row.id) ?? null,
      }))
      return { ...page, data }
    },
    async createOwnKey(request: FastifyRequest, reply: FastifyReply) {
      const { id: accountId } = await findAskedAccount(accounts, request)
      const { name } = request.body as { name: string }
      const created = await accounts.createOwnKey(accountId, name, sessionOf(request).personId)
      if (!created) {
        throw new Fault(
          'conflict',
          `This account has ${MAX_LIVE_KEYS} keys, as many as it may: revoke one of them first.`,
        )
      }
      const written: CreatedKey = { ...writeKeyFields(created.row), key: created.key }
      return reply.code(201).send(written)
    },
    async revokeOwnKey(request: FastifyRequest, reply: FastifyReply) {
      const { id: accountId } = await findAskedAccount(accounts, request)
      const { key_id: keyId } = request.params as { key_id: string }
      if (!(await accounts.revokeKey(accountId, keyId, sessionOf(request).personId))) {
        throw noSuchKey()
      }
      return reply.code(204).send()
    },
  }
}
