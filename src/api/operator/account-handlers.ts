import type { FastifyReply, FastifyRequest } from 'fastify'
import { utcDay, type Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import type { Funds } from '#platform/funds.ts'
import { formatEuros, MAX_BALANCE, parseEuros, ZERO, type NanoEuro } from '#platform/money.ts'
import type { Account, Accounts, Plan } from '#accounts/index.ts'
import { tierOf, type Gate } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Account as WireAccount, Credit } from '../contract/index.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

interface NewAccountBody {
  readonly email: string
  readonly name?: string | null
}

interface AccountChangeBody {
  readonly min_tier?: 1 | 2 | 3 | null
  readonly plan?: Plan | null
  readonly daily_ceiling_eur?: string | null
  readonly suspended?: boolean | null
}

interface NewCreditBody {
  readonly kind: 'deposit' | 'grant'
  readonly amount_eur: string
  readonly reference: string
}

export interface AccountTools {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly gate: Gate
  readonly clock: Clock
}

export function createAccountHandlers(tools: AccountTools) {
  const { accounts } = tools

  async function writeOne(account: Account | undefined): Promise<WireAccount> {
    if (!account) throw noSuchAccount()
    const [written] = await writeAccounts(tools, [account])
    return written as WireAccount
  }

  return {
    async createAccount(request: FastifyRequest, reply: FastifyReply) {
      const { email, name } = request.body as NewAccountBody
      const account = await accounts.create({ email, name: name ?? undefined }, request.actor)
      return reply.code(201).send(await writeOne(account))
    },
    async listAccounts(request: FastifyRequest) {
      const query = request.query as PageQuery & { readonly email?: string }
      const { before, limit } = readPage(query)
      const filter = {
        ...(query.email !== undefined && { email: query.email.toLowerCase() }),
        ...(before !== undefined && { before }),
      }
      const page = writePage(await accounts.list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: await writeAccounts(tools, page.data) }
    },
    async getAccount(request: FastifyRequest) {
      return writeOne(await accounts.find(accountIdOf(request)))
    },
    async updateAccount(request: FastifyRequest) {
      const changes = readChanges(request.body as AccountChangeBody)
      return writeOne(await accounts.update(accountIdOf(request), changes, request.actor))
    },
    async creditAccount(request: FastifyRequest, reply: FastifyReply) {
      const accountId = accountIdOf(request)
      if (!(await accounts.find(accountId))) throw noSuchAccount()
      const { kind, amount_eur: amountEur, reference } = request.body as NewCreditBody
      const credit = { kind, amount: readAmount(amountEur), reference }
      const crediting = await accounts.credit(accountId, credit, request.actor)
      switch (crediting.kind) {
        case 'booked':
        case 'repeated':
          return reply
            .code(crediting.kind === 'booked' ? 201 : 200)
            .send(writeCredit(crediting.credit, reference))
        case 'conflict':
          throw new Fault('conflict', `reference: ${reference} is another credit's already`)
        case 'too_much':
          throw new Fault(
            'invalid_request',
            `amount_eur: the balance would be more than ${formatEuros(MAX_BALANCE)} €`,
          )
      }
    },
  }
}

export function accountIdOf(request: FastifyRequest): string {
  return (request.params as { account_id: string }).account_id
}

export function noSuchAccount(): Fault {
  return new Fault('not_found', 'There is no account with this id.')
}

/** `null` leaves a field as it is, but for the ceiling, which it takes away. */
function readChanges(body: AccountChangeBody) {
  const { min_tier: minTier, plan, daily_ceiling_eur: ceilingEur, suspended } = body
  return {
    ...(isGiven(minTier) && { minTier }),
    ...(isGiven(plan) && { plan }),
    ...(ceilingEur !== undefined && { ceiling: readEurosOrNull(ceilingEur, 'daily_ceiling_eur') }),
    ...(isGiven(suspended) && { suspended }),
  }
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined
}

export function readEurosOrNull(text: string | null, field: string): NanoEuro | null {
  if (text === null) return null
  return parseEuros(text) ?? tooMuch(field)
}

function readAmount(text: string): NanoEuro {
  const amount = parseEuros(text) ?? tooMuch('amount_eur')
  if (amount === 0) throw new Fault('invalid_request', 'amount_eur: must be more than 0')
  return amount
}

/** The contract's pattern has let it through, so only its size can be wrong. */
function tooMuch(field: string): never {
  throw new Fault('invalid_request', `${field}: must be at most ${formatEuros(MAX_BALANCE)} €`)
}

export async function writeAccounts(
  { ledger, gate, clock }: AccountTools,
  found: readonly Account[],
): Promise<WireAccount[]> {
  const ids = found.map(({ id }) => id)
  const [funds, held] = await Promise.all([ledger.funds(ids), gate.held(ids)])
  const today = utcDay(clock.nowMs())
  return found.map((account) =>
    writeAccount(account, funds.get(account.id), held.get(account.id) ?? ZERO, today),
  )
}

export function writeAccount(
  account: Account,
  funds: Funds | undefined,
  held: NanoEuro,
  today: string,
): WireAccount {
  if (!funds) throw new Error(`account ${account.id} has no balance`)
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    tier: tierOf(funds, account.minTier).number,
    min_tier: account.minTier,
    plan: account.plan,
    balance_eur: formatEuros(funds.balance),
    held_eur: formatEuros(held),
    deposits_eur: formatEuros(funds.deposits),
    spent_today_eur: formatEuros(funds.spentDay >= today ? funds.spent : ZERO),
    daily_ceiling_eur: account.ceiling === null ? null : formatEuros(account.ceiling),
    suspended: account.suspended,
    created_at: account.createdAtMs,
  }
}

function writeCredit(
  credit: { accountId: string; kind: 'deposit' | 'grant'; amount: NanoEuro; atMs: number },
  reference: string,
): Credit {
  return {
    account_id: credit.accountId,
    kind: credit.kind,
    amount_eur: formatEuros(credit.amount),
    reference,
    created_at: credit.atMs,
  }
}
