import type { FastifyRequest } from 'fastify'
import type { Alerts } from '#alerts/index.ts'
import type { AlertSettings } from '../contract/index.ts'
import {
  noSuchAccount,
  readEurosOrNull,
  writeAccounts,
  type AccountTools,
} from '../operator/account-handlers.ts'
import { readSettings, writeSettings } from '../operator/alert-handlers.ts'
import { doerOf } from './authenticate-session.ts'
import { accountOf } from './authorize.ts'
import { readOwnStanding, writeOwnAccount } from './standing.ts'

export interface OwnAccountTools extends AccountTools {
  readonly alerts: Alerts
}

/** How a person's own account stands, and the limits and alerts that they set themselves. */
export function createOwnAccountHandlers(tools: OwnAccountTools) {
  const { accounts, alerts } = tools
  return {
    async getOwnStanding(request: FastifyRequest) {
      return readOwnStanding(tools, accountOf(request))
    },
    async updateOwnAccount(request: FastifyRequest) {
      const { id } = accountOf(request)
      const { daily_ceiling_eur: ceilingEur } = request.body as { daily_ceiling_eur: string | null }
      const ceiling = readEurosOrNull(ceilingEur, 'daily_ceiling_eur')
      const account = await accounts.update(id, { ceiling }, doerOf(request))
      if (!account) throw noSuchAccount()
      const [written] = await writeAccounts(tools, [account])
      return written && writeOwnAccount(written)
    },
    async getOwnAlerts(request: FastifyRequest) {
      const { id } = accountOf(request)
      return writeSettings(await alerts.settings(id))
    },
    async setOwnAlerts(request: FastifyRequest) {
      const { id } = accountOf(request)
      const settings = readSettings(request.body as AlertSettings)
      await alerts.choose(id, settings, doerOf(request))
      return writeSettings(settings)
    },
  }
}
