import type { FastifyRequest } from 'fastify'
import { utcDay } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import type { Entry, EntryPlace, Ledger } from '#ledger/index.ts'
import type { LedgerTransfer } from '../contract/index.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

interface TransferQuery extends PageQuery {
  readonly from?: string
  readonly to?: string
}

const FIRST_DAY = '1970-01-01'
const LAST_DAY = '9999-12-31'

export function createLedgerHandlers({ ledger }: { readonly ledger: Ledger }) {
  return {
    async listTransfers(request: FastifyRequest) {
      const { from = FIRST_DAY, to = LAST_DAY, ...query } = request.query as TransferQuery
      const { before: cursor, limit } = readPage(query)
      const fromDay = readDay(from, 'from')
      const toDay = readDay(to, 'to')
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const entries = await ledger.entries({ fromDay, toDay, after, limit: limit + 1 })
      const page = writePage(entries, limit, writeCursor)
      return { ...page, data: page.data.map(writeEntry) }
    },
  }
}

function readDay(text: string, field: string): string {
  const atMs = Date.parse(text)
  if (!Number.isNaN(atMs) && utcDay(atMs) === text) return text
  throw new Fault('invalid_request', `${field}: must be a day that there is, such as "2026-11-21"`)
}

function writeCursor({ atMs, reference }: EntryPlace): string {
  return `${atMs}.${Buffer.from(reference).toString('base64url')}`
}

/** The contract's pattern has let it through. */
function readCursor(cursor: string): EntryPlace {
  const [at = '', coded = ''] = cursor.split('.')
  const reference = Buffer.from(coded, 'base64url').toString()
  // What ends there is before year 10000, and PostgreSQL takes a U+0000 for an error.
  if (Number(at) < Date.parse(LAST_DAY) && !reference.includes('\0')) {
    return { atMs: Number(at), reference }
  }
  throw new Fault('invalid_request', 'cursor: must be the `next_cursor` of the page before')
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
