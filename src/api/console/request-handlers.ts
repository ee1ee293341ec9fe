import type { FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { canBeKept } from '#accounts/index.ts'
import type { Ledger, ReceiptSearch } from '#ledger/index.ts'
import { readDay } from '../operator/days-and-places.ts'
import { writeReceipt } from '../operator/key-handlers.ts'
import { readPage, type PageQuery } from '../operator/pages.ts'
import { accountOf } from './authorize.ts'

export interface RequestTools {
  readonly ledger: Ledger
}

interface RequestQuery extends PageQuery {
  readonly brand?: string
  readonly key_id?: string
  readonly ended?: ReceiptSearch['ended']
  readonly from?: string
  readonly to?: string
}

/** The requests of a person's own account: figures and names, for nothing else is kept of them. */
export function createRequestHandlers({ ledger }: RequestTools) {
  return {
    async listOwnRequests(request: FastifyRequest) {
      const { id: accountId } = accountOf(request)
      const search = readSearch(request.query as RequestQuery)
      const { receipts, next } = await ledger.searchReceipts(accountId, search)
      return { data: receipts.map(writeReceipt), next_cursor: next ?? null }
    },
    async getOwnRequest(request: FastifyRequest) {
      const { id: accountId } = accountOf(request)
      const { request_id: requestId } = request.params as { request_id: string }
      const receipt = canBeKept(requestId)
        ? await ledger.findReceipt(accountId, requestId)
        : undefined
      if (!receipt) throw new Fault('not_found', 'This account has no request with this id.')
      return writeReceipt(receipt)
    },
  }
}

function readSearch(query: RequestQuery): ReceiptSearch {
  const { brand, key_id: keyId, ended, from, to } = query
  return {
    ...readPage(query),
    brand,
    keyId,
    ended,
    fromDay: from === undefined ? undefined : readDay(from, 'from'),
    toDay: to === undefined ? undefined : readDay(to, 'to'),
  }
}
