import type { FastifyRequest } from 'fastify'
import type { Accounts, AuditKind, AuditTable } from '#accounts/index.ts'
import type { OwnAuditEntry } from '../contract/index.ts'
import { readBrowser } from '../identity/pages/describe-browser.ts'
import { readAuditPlace, writeAuditPlace } from '../operator/audit-places.ts'
import { readDay } from '../operator/days-and-places.ts'
import { readPage, writePage, type PageQuery } from '../operator/pages.ts'
import { sessionOf } from './authenticate-session.ts'
import { accountOf, isTold } from './authorize.ts'

export interface AuditTools {
  readonly accounts: Accounts
}

interface AuditQuery extends PageQuery {
  readonly kind?: AuditKind
  readonly from?: string
  readonly to?: string
}

const DAY_MS = 86_400_000

/** What was done to an account, or by its reader alone, and by them to how they sign in. */
export function createAuditHandlers({ accounts }: AuditTools) {
  return {
    async listOwnAudit(request: FastifyRequest) {
      const { id: accountId } = accountOf(request)
      const { personId } = sessionOf(request)
      const { kind, from, to, ...query } = request.query as AuditQuery
      const { before: cursor, limit } = readPage(query)
      const rows = await accounts.ownAudit(
        { accountId, personId, ...(!isTold(request, 'see_activity') && { doneBy: personId }) },
        {
          kind,
          fromMs: from === undefined ? undefined : Date.parse(readDay(from, 'from')),
          beforeMs: to === undefined ? undefined : Date.parse(readDay(to, 'to')) + DAY_MS,
          after: cursor === undefined ? undefined : readAuditPlace(cursor),
          limit: limit + 1,
        },
      )
      const page = writePage(rows, limit, writeAuditPlace)
      const emails = await findEmails(accounts, accountId)
      return { ...page, data: page.data.map((row) => writeOwnEntry(row, personId, emails)) }
    },
  }
}

/** Those of an account know each other, for as long as they are. */
async function findEmails(
  { members }: Accounts,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const known = await members.list(accountId)
  return new Map(known.map(({ personId, email }) => [personId, email]))
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
      email: row.acted_as === 'person' && !isOwn ? (emails.get(row.actor) ?? null) : null,
    },
    about_email: row.account_id === null ? null : (emails.get(row.person_id ?? '') ?? null),
    address: isOwn ? row.address : null,
    browser: browser ?? null,
    system: system ?? null,
    details: JSON.parse(row.details) as OwnAuditEntry['details'],
  }
}
