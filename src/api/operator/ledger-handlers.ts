import type { FastifyRequest } from 'fastify'
import { utcDay } from '#platform/clock.ts'
import { formatEuros } from '#platform/money.ts'
import type { Entry, Ledger } from '#ledger/index.ts'
import type { LedgerTransfer } from '../contract/index.ts'
import { LAST_DAY, readDay, readPlace, writePlace } from './days-and-places.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

interface TransferQuery extends PageQuery {
  readonly from?: string
  readonly to?: string
}

const FIRST_DAY = '1970-01-01'

export function createLedgerHandlers({ ledger }: { readonly ledger: Ledger }) {
  return {
    async listTransfers(request: FastifyRequest) {
      const { from = FIRST_DAY, to = LAST_DAY, ...query } = request.query as TransferQuery
      const { before: cursor, limit } = readPage(query)
      const fromDay = readDay(from, 'from')
      const toDay = readDay(to, 'to')
      const after = cursor === undefined ? undefined : readPlace(cursor)
      const entries = await ledger.entries({ fromDay, toDay, after, limit: limit + 1 })
      const page = writePage(entries, limit, writePlace)
      return { ...page, data: page.data.map(writeEntry) }
    },
  }
}

function writeEntry({ kind, debit, credit, amount, atMs, reference }: Entry): LedgerTransfer {
  return {
    date: utcDay(atMs),
    at: atMs,
    kind,
    debit,
    credit,
    account_id: [debit, credit].find((book) => !isOfTheHouse(book)) ?? null,
    amount_eur: formatEuros(amount),
    reference,
  }
}

function isOfTheHouse(book: string): boolean {
  return book === 'accounts' || book.startsWith('book:')
}
