import { formatEuros } from '#platform/money.ts'
import { TIER_FROM, TIERS } from '#gate/index.ts'
import type { ConsoleSettings } from '../contract/index.ts'
import type { Wallet } from '../payments/wallet.ts'

export interface ServiceSettings {
  readonly serviceName: string
  /** Ends in "/v1". */
  readonly baseUrl: string
  readonly wallet: Pick<Wallet, 'takes'>
}

/** What the console has to know of the service that it belongs to. */
export function createSettingsHandlers({ serviceName, baseUrl, wallet }: ServiceSettings) {
  return {
    getConsoleSettings(): ConsoleSettings {
      return {
        service_name: serviceName,
        base_url: baseUrl,
        payments: wallet.takes ? { is_test: wallet.takes.isTest } : null,
        tiers: Object.values(TIERS).map(({ number, requestsPerMinute, tokensPerMinute }) => ({
          tier: number,
          requests_per_minute: requestsPerMinute,
          tokens_per_minute: tokensPerMinute,
          from_eur: formatEuros(TIER_FROM[number]),
        })),
      }
    },
  }
}
