import type { NanoEuro } from '#platform/money.ts'
import type { PaymentEventKind, ProviderName } from './tables.ts'

/** Whoever takes the buyer's money: Stripe, or the sandbox that behaves like it. */
export interface PaymentProvider {
  readonly name: ProviderName
  /** True where no real money moves: said wherever an amount of it shows. */
  readonly isTest: boolean
  /** Opens the page where the buyer pays. Asked again for the same top-up it opens no second one. */
  openCheckout(checkout: Checkout): Promise<OpenedCheckout>
  /** Reads a webhook. Throws an UnverifiedEvent for what the provider has not signed, lately. */
  readEvent(body: Buffer, signature: string | undefined): Promise<PaymentEvent | undefined>
  /** Gives money back. The books follow when the provider says so, by an event. */
  refund(refund: Refund): Promise<void>
  /** Every payment since then that succeeded, for the comparison with the books. */
  listPayments(sinceMs: number): AsyncIterable<ProviderPayment>
}

export interface Checkout {
  readonly topupId: string
  readonly amount: NanoEuro
  readonly email: string
  /** Where the buyer comes back to. That they do means nothing: only events do. */
  readonly returnUrl: string
}

export interface OpenedCheckout {
  readonly sessionId: string
  readonly url: string
}

export interface Refund {
  readonly topupId: string
  readonly paymentId: string
  readonly amount: NanoEuro
  /** Of this refund: the provider gives the money back once for each. */
  readonly reference: string
}

/** What the provider tells, in our words. Amounts are of the currency's own unit, in nanos of it. */
export interface PaymentEvent {
  readonly id: string
  readonly kind: PaymentEventKind
  readonly topupId: string | undefined
  readonly sessionId: string | undefined
  readonly paymentId: string | undefined
  readonly disputeId: string | undefined
  readonly amount: NanoEuro | undefined
  readonly currency: string | undefined
  readonly createdAtMs: number
}

export interface ProviderPayment {
  readonly paymentId: string
  readonly topupId: string | undefined
  readonly amount: NanoEuro
  readonly refunded: NanoEuro
  readonly currency: string
  readonly createdAtMs: number
}

/** A webhook that the provider did not sign, or signed too long ago. */
export class UnverifiedEvent extends Error {
  constructor(cause: unknown) {
    super('the event is not signed by the provider', { cause })
    this.name = 'UnverifiedEvent'
  }
}

/** The provider could not be reached, or refused what we asked. */
export class ProviderFailed extends Error {
  constructor(cause: unknown) {
    super('the payment provider failed', { cause })
    this.name = 'ProviderFailed'
  }
}
