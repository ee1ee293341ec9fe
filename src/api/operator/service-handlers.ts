import type { FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Accounts, AuditTable } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import { isBrand, type ModelHealth, type Models } from '#models/index.ts'
import type { AuditEntry, ModelState } from '../contract/index.ts'
import { readAuditPlace, writeAuditPlace } from './audit-places.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

export interface ServiceTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly models: Models
}

/** What concerns the service as a whole: its models, its books, its audit log. */
export function createServiceHandlers({ accounts, ledger, models }: ServiceTools) {
  return {
    listModelStates: async () => ({ data: models.health().map(writeState), next_cursor: null }),
    async switchModel(request: FastifyRequest) {
      const { brand } = request.params as { brand: string }
      if (!isBrand(brand)) throw new Fault('unknown_model', 'There is no such brand.')
      const { enabled } = request.body as { enabled: boolean }
      await models.setEnabled(brand, enabled)
      await accounts.recordSwitch(brand, enabled, request.actor)
      const health = models.health().find(({ model }) => model.brand === brand)
      return health && writeState(health)
    },
    verifyLedger: () => ledger.verify(),
    async listAudit(request: FastifyRequest) {
      const page = await readAudit(accounts, request.query as AuditQuery)
      return { ...page, data: page.data.map(writeAudit) }
    },
  }
}

interface AuditQuery extends PageQuery {
  readonly account_id?: string
  readonly person_id?: string
}

/** All there is by its ids; what is somebody's by its times, as they read it themselves. */
async function readAudit(
  accounts: Accounts,
  { account_id: accountId, person_id: personId, ...query }: AuditQuery,
) {
  const { before, limit } = readPage(query)
  if (accountId === undefined && personId === undefined) {
    return writePage(await accounts.audit({ before, limit: limit + 1 }), limit, (row) => row.id)
  }
  const subject = {
    ...(accountId !== undefined && { accountId }),
    ...(personId !== undefined && { personId }),
  }
  const after = before === undefined ? undefined : readAuditPlace(before)
  const rows = await accounts.ownAudit(subject, { after, limit: limit + 1 })
  return writePage(rows, limit, writeAuditPlace)
}

function writeState({ model, enabled, upstreams }: ModelHealth): ModelState {
  return {
    brand: model.brand,
    id: model.id,
    enabled,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    upstreams: upstreams.map(writeUpstream),
  }
}

function writeUpstream(health: ModelHealth['upstreams'][number]): ModelState['upstreams'][number] {
  const { firstTokenMs, lastFailure, passedOver } = health
  return {
    name: health.name,
    kind: health.kind,
    priority: health.priority,
    weight: health.weight,
    max_concurrent: health.maxConcurrent,
    requests_per_minute: health.requestsPerMinute,
    circuit: health.circuit,
    rests_until: health.restsUntilMs,
    under_way: health.underWay,
    requests: health.requests,
    failures: health.failures,
    passed_over: passedOver.concurrency + passedOver.rate + passedOver.rest,
    first_token_ms: firstTokenMs === null ? null : Math.round(firstTokenMs),
    last_failure: lastFailure && { kind: lastFailure.kind, at: lastFailure.atMs },
  }
}

function writeAudit(row: AuditTable): AuditEntry {
  return { ...row, details: JSON.parse(row.details) as AuditEntry['details'] }
}
