import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountIdOf } from '../operator/account-handlers.ts'
import { readPage, type PageQuery } from '../operator/pages.ts'
import type { Wallet } from '../payments/wallet.ts'
import { sessionOf } from './authenticate-session.ts'

/** What a person has and pays in. Another's is not there: 404, as what is nobody's. */
export function createWalletHandlers(wallet: Wallet) {
  return {
    async listOwnAccounts(request: FastifyRequest) {
      const { personId } = sessionOf(request)
      return wallet.accounts(personId, readPage(request.query as PageQuery))
    },
    async createOwnTopup(request: FastifyRequest, reply: FastifyReply) {
      const { amount_eur: amountEur } = request.body as { amount_eur: string }
      const opened = await wallet.open(sessionOf(request), {
        accountId: accountIdOf(request),
        amountEur,
        returnPath: '/console/balance',
      })
      return reply.code(201).send(opened)
    },
    async listOwnTopups(request: FastifyRequest) {
      const { personId } = sessionOf(request)
      return wallet.topups(personId, accountIdOf(request), readPage(request.query as PageQuery))
    },
    async getOwnTopup(request: FastifyRequest) {
      return wallet.findTopup(sessionOf(request).personId, topupIdOf(request))
    },
    async listOwnDocuments(request: FastifyRequest) {
      return { data: await wallet.documents(sessionOf(request).personId, topupIdOf(request)) }
    },
  }
}

function topupIdOf(request: FastifyRequest): string {
  return (request.params as { topup_id: string }).topup_id
}
