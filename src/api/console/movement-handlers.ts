import type { FastifyRequest } from 'fastify'
import { utcDay } from '#platform/clock.ts'
import { formatEuros } from '#platform/money.ts'
import type { Ledger, Movement } from '#ledger/index.ts'
import { topupIdOfReference } from '#payments/index.ts'
import type { OwnMovement } from '../contract/index.ts'
import { readPlace, writePlace } from '../operator/days-and-places.ts'
import { readPage, writePage, type PageQuery } from '../operator/pages.ts'
import { accountOf } from './authorize.ts'

export interface MovementTools {
  readonly ledger: Ledger
}

/** A person's own account's statement. */
export function createMovementHandlers({ ledger }: MovementTools) {
  return {
    async listOwnMovements(request: FastifyRequest) {
      const { id: accountId } = accountOf(request)
      const { before: cursor, limit } = readPage(request.query as PageQuery)
      const before = cursor === undefined ? undefined : readPlace(cursor)
      const movements = await ledger.movements(accountId, { before, limit: limit + 1 })
      const page = writePage(movements, limit, writePlace)
      return { ...page, data: page.data.map(writeMovement) }
    },
  }
}

export function writeMovement({ kind, reference, amount, atMs, requests }: Movement): OwnMovement {
  const isDay = kind === 'usage'
  return {
    kind,
    amount_eur: formatEuros(amount),
    day: utcDay(atMs),
    at: isDay ? null : atMs,
    reference: isDay ? null : reference,
    topup_id: topupIdOfReference(reference) ?? null,
    requests,
  }
}
