import type { FastifyRequest } from 'fastify'
import { formatEuros } from '#platform/money.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Alerts, AlertSettings } from '#alerts/index.ts'
import type { AlertSettings as WireAlertSettings } from '../contract/index.ts'
import { accountIdOf, noSuchAccount, readEurosOrNull } from './account-handlers.ts'

export interface AlertTools {
  readonly accounts: Accounts
  readonly alerts: Alerts
}

export function createAlertHandlers({ accounts, alerts }: AlertTools) {
  async function findAccountId(request: FastifyRequest): Promise<string> {
    const account = await accounts.find(accountIdOf(request))
    if (!account) throw noSuchAccount()
    return account.id
  }

  return {
    async getAlerts(request: FastifyRequest) {
      return writeSettings(await alerts.settings(await findAccountId(request)))
    },
    async setAlerts(request: FastifyRequest) {
      const settings = readSettings(request.body as WireAlertSettings)
      await alerts.choose(await findAccountId(request), settings, request.actor)
      return writeSettings(settings)
    },
  }
}

export function readSettings(body: WireAlertSettings): AlertSettings {
  const { low_balance_eur: lowBalanceEur, ceiling } = body
  return { lowBalance: readEurosOrNull(lowBalanceEur, 'low_balance_eur'), ceiling }
}

export function writeSettings({ lowBalance, ceiling }: AlertSettings): WireAlertSettings {
  return { low_balance_eur: lowBalance === null ? null : formatEuros(lowBalance), ceiling }
}
