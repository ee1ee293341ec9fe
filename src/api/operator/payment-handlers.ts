import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { parseEuros } from '#platform/money.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import type { Payments, TopupTable } from '#payments/index.ts'
import type { OpenedTopup, Reconciliation } from '../contract/index.ts'
import { asked, taking } from '../payments/ask-provider.ts'
import { readTopupEuros, writeDocument, writeTopup } from '../payments/write-payment.ts'
import { accountIdOf, noSuchAccount } from './account-handlers.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

export interface PaymentTools {
  readonly accounts: Accounts
  readonly payments: Payments | undefined
  readonly clock: Clock
  /** At its origin is the page that buyers come back to. */
  readonly identity: Pick<Identity, 'issuer'>
}

const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

/** Money paid in, as the operator sees it. */
export function createPaymentHandlers({ accounts, payments, identity }: PaymentTools) {
  return {
    async createTopup(request: FastifyRequest, reply: FastifyReply) {
      const account = await accounts.find(accountIdOf(request))
      if (!account) throw noSuchAccount()
      const { amount_eur: amountEur } = request.body as { amount_eur: string }
      const euros = readTopupEuros(amountEur)
      if (euros === undefined) throw new Fault('invalid_request', 'amount_eur: cannot be paid in')
      const returnUrl = `${identity.issuer}/console/balance`
      const input = { accountId: account.id, euros, email: account.email, returnUrl }
      const { topup, url } = await asked(taking(payments).open(input))
      const written: OpenedTopup = { ...writeTopup(topup), checkout_url: url }
      return reply.code(201).send(written)
    },
    async listTopups(request: FastifyRequest) {
      const query = request.query as PageQuery & { readonly account_id?: string }
      const { before, limit } = readPage(query)
      const filter = {
        ...(query.account_id !== undefined && { accountId: query.account_id }),
        ...(before !== undefined && { before }),
      }
      const page = writePage(await taking(payments).list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: page.data.map(writeTopup) }
    },
    async getTopup(request: FastifyRequest) {
      return writeTopup(await findTopup(payments, request))
    },
    async listDocuments(request: FastifyRequest) {
      const { id } = await findTopup(payments, request)
      return { data: (await taking(payments).documents(id)).map(writeDocument) }
    },
  }
}

/** What is asked of the provider after it was paid. */
export function createRefundHandlers({ payments, clock }: PaymentTools) {
  return {
    async refundTopup(request: FastifyRequest, reply: FastifyReply) {
      const topup = await findTopup(payments, request)
      const { amount_eur: amountEur, reference } = request.body as {
        amount_eur: string
        reference: string
      }
      const refund = { topupId: topup.id, amount: readAmount(amountEur), reference }
      const outcome = await asked(taking(payments).refund(refund, request.actor))
      if (outcome === 'not_paid') throw new Fault('conflict', 'This top-up was not paid.')
      if (outcome === 'too_much') {
        throw new Fault('invalid_request', 'amount_eur: is more than is left of this top-up')
      }
      return reply.code(202).send(writeTopup(await findTopup(payments, request)))
    },
    async reconcilePayments(request: FastifyRequest): Promise<Reconciliation> {
      const { days } = request.query as { readonly days?: string }
      const since = clock.nowMs() - Number(days ?? DEFAULT_DAYS) * DAY_MS
      const differences = await asked(taking(payments).reconcile(since))
      return {
        ok: differences.length === 0,
        since,
        differences: differences.map(({ topupId, paymentId, sentence }) => ({
          topup_id: topupId,
          payment_id: paymentId,
          sentence,
        })),
      }
    },
  }
}

async function findTopup(
  payments: Payments | undefined,
  request: FastifyRequest,
): Promise<TopupTable> {
  const { topup_id: topupId } = request.params as { topup_id: string }
  const topup = await taking(payments).find(topupId)
  if (!topup) throw new Fault('not_found', 'There is no top-up with this id.')
  return topup
}

function readAmount(text: string) {
  const amount = parseEuros(text)
  if (amount !== undefined && amount > 0) return amount
  throw new Fault('invalid_request', 'amount_eur: must be more than 0')
}
