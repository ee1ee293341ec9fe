import type { FastifyRequest } from 'fastify'
import {
  isRemoved,
  type Accounts,
  type AuditKind,
  type AuditTable,
  type Persons,
} from '#accounts/index.ts'
import type { OwnAuditEntry } from '../contract/index.ts'
import { readBrowser } from '../identity/pages/describe-browser.ts'
import { readAuditPlace, writeAuditPlace } from '../operator/audit-places.ts'
import { readDay } from '../operator/days-and-places.ts'
import { readPage, writePage, type PageQuery } from '../operator/pages.ts'
import { sessionOf } from './authenticate-session.ts'
import { findAskedAccount } from './find-own-account.ts'

export interface AuditTools {
  readonly accounts: Accounts
  readonly persons: Persons
}

interface AuditQuery extends PageQuery {
  readonly kind?: AuditKind
  readonly from?: string
  readonly to?: string
}

const DAY_MS = 86_400_000

/** What was done to an own account, and by its reader to how they sign in. */
export function createAuditHandlers({ accounts, persons }: AuditTools) {
  return {
    async listOwnAudit(request: FastifyRequest) {
      const { id: accountId } = await findAskedAccount(accounts, request)
      const { personId } = sessionOf(request)
      const { kind, from, to, ...query } = request.query as AuditQuery
      const { before: cursor, limit } = readPage(query)
      const rows = await accounts.ownAudit(
        { accountId, personId },
        {
          kind,
          fromMs: from === undefined ? undefined : Date.parse(readDay(from, 'from')),
          beforeMs: to === undefined ? undefined : Date.parse(readDay(to, 'to')) + DAY_MS,
          after: cursor === undefined ? undefined : readAuditPlace(cursor),
          limit: limit + 1,
        },
      )
      const page = writePage(rows, limit, writeAuditPlace)
      const emails = await findEmails(persons, page.data, personId)
      return { ...page, data: page.data.map((row) => writeOwnEntry(row, personId, emails)) }
    },
  }
}

/** Of the other people who did something: those of an account know each other. */
async function findEmails(
  persons: Persons,
  rows: readonly AuditTable[],
  readerId: string,
): Promise<ReadonlyMap<string, string>> {
  const others = rows.filter((row) => row.acted_as === 'person' && row.actor !== readerId)
  const ids = [...new Set(others.map(({ actor }) => actor))]
  const found = await Promise.all(ids.map((id) => persons.find(id)))
  const known = found.filter((person) => person !== undefined && !isRemoved(person))
  return new Map(known.flatMap((person) => (person ? [[person.id, person.email]] : [])))
}

/** Where somebody else was when they did it is nobody's to read. */
function writeOwnEntry(
  row: AuditTable,
  readerId: string,
  emails: ReadonlyMap<string, string>,
): OwnAuditEntry {
  const isOwn = row.acted_as === 'person' && row.actor === readerId
  const { browser, system } = readBrowser(isOwn ? row.user_agent : null)
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    account_id: row.account_id,
    actor: {
      kind: isOwn ? 'you' : row.acted_as,
      email: row.acted_as === 'person' ? (emails.get(row.actor) ?? null) : null,
    },
    address: isOwn ? row.address : null,
    browser: browser ?? null,
    system: system ?? null,
    details: JSON.parse(row.details) as OwnAuditEntry['details'],
  }
}
