import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RollWish } from '#accounts/index.ts'
import type { OwnKey } from '../contract/index.ts'
import { changeKey, replaceKey, tooManyKeys, type KeyRollBody } from '../operator/change-key.ts'
import {
  noSuchKey,
  readNewKey,
  writeCreatedKey,
  writeKeys,
  type KeyChangeBody,
  type NewKeyBody,
} from '../operator/key-bodies.ts'
import { keyIdOf, type KeyTools } from '../operator/key-handlers.ts'
import { readPage, writePage, type PageQuery } from '../operator/pages.ts'
import { doerOf } from './authenticate-session.ts'
import { accountOf } from './authorize.ts'

/** The keys of a person's own account. */
export function createOwnKeyHandlers(tools: KeyTools) {
  const { accounts, ledger } = tools

  return {
    async listOwnKeys(request: FastifyRequest) {
      const { id: accountId } = accountOf(request)
      const { before, limit } = readPage(request.query as PageQuery)
      const rows = await accounts.keys(accountId, { before, limit: limit + 1 })
      const page = writePage(rows, limit, (row) => row.id)
      const keyIds = page.data.map(({ id }) => id)
      const [keys, lastDays] = await Promise.all([
        writeKeys(tools, accountId, page.data),
        ledger.lastDays(accountId, keyIds),
      ])
      const data: OwnKey[] = keys.map((key) => ({
        ...key,
        last_used_on: lastDays.get(key.id) ?? null,
      }))
      return { ...page, data }
    },
    async createOwnKey(request: FastifyRequest, reply: FastifyReply) {
      const { id: accountId } = accountOf(request)
      const wanted = readNewKey(request.body as NewKeyBody, tools.clock)
      const created = await accounts.createOwnKey(accountId, wanted, doerOf(request))
      if (!created) throw tooManyKeys()
      return reply.code(201).send(writeCreatedKey(created))
    },
    async updateOwnKey(request: FastifyRequest): Promise<OwnKey> {
      const place = placeOf(request)
      const key = await changeKey(tools, place, request.body as KeyChangeBody, doerOf(request))
      const lastDays = await ledger.lastDays(place.accountId, [key.id])
      return { ...key, last_used_on: lastDays.get(key.id) ?? null }
    },
    async rollOwnKey(request: FastifyRequest, reply: FastifyReply) {
      const place = placeOf(request)
      const roll = (wish: RollWish) => accounts.rollOwnKey(place, wish, doerOf(request))
      return reply.code(201).send(await replaceKey(roll, request.body as KeyRollBody, tools.clock))
    },
    async revokeOwnKey(request: FastifyRequest, reply: FastifyReply) {
      const { accountId, keyId } = placeOf(request)
      if (!(await accounts.revokeKey(accountId, keyId, doerOf(request)))) {
        throw noSuchKey()
      }
      return reply.code(204).send()
    },
  }
}

function placeOf(request: FastifyRequest) {
  return { accountId: accountOf(request).id, keyId: keyIdOf(request) }
}
