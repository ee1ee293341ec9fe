import { formatEuros, NANO_PER_EURO } from '#platform/money.ts'
import {
  TOPUP_EUROS,
  type IssuedDocument,
  type TopupEuros,
  type TopupTable,
} from '#payments/index.ts'
import type { BillingDocument, Topup } from '../contract/index.ts'

/** How many whole euros an amount such as "20.00" is, of those that can be paid in. */
export function readTopupEuros(amountEur: string): TopupEuros | undefined {
  return TOPUP_EUROS.find((one) => writeTopupEuros(one) === amountEur)
}

export function writeTopupEuros(euros: TopupEuros): string {
  return formatEuros(BigInt(euros * NANO_PER_EURO))
}

export function writeTopup(topup: TopupTable): Topup {
  return {
    id: topup.id,
    account_id: topup.account_id,
    amount_eur: formatEuros(topup.amount_nano),
    provider: topup.provider,
    test: topup.is_test === 1,
    state: topup.state,
    refunded_eur: formatEuros(topup.refunded_nano),
    dispute: topup.dispute,
    created_at: topup.created_at,
    paid_at: topup.paid_at,
  }
}

export function writeDocument(document: IssuedDocument): BillingDocument {
  return {
    number: document.number,
    kind: document.kind,
    topup_id: document.topupId,
    amount_eur: formatEuros(document.amount),
    net_eur: formatEuros(document.net),
    tax_eur: formatEuros(document.tax),
    issued_at: document.issuedAtMs,
  }
}
