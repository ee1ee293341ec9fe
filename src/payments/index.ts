export type { Seller } from './documents.ts'
export { splitTax } from './documents.ts'
export { paymentMigrations } from './migrations.ts'
export {
  createPayments,
  TOPUP_EUROS,
  type OpenedTopup,
  type Payments,
  type Refunding,
  type TopupEuros,
} from './payments.ts'
export { ProviderFailed, UnverifiedEvent, type PaymentProvider } from './provider.ts'
export type { Difference } from './reconcile.ts'
export { SANDBOX_ACTS, type SandboxAct } from './play-sandbox.ts'
export { createSandbox, type Sandbox } from './sandbox-provider.ts'
export { createStripeProvider, type StripeOptions } from './stripe-provider.ts'
export { paymentTables, type BillingDocumentTable, type TopupTable } from './tables.ts'
