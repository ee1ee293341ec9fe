import { readEuros } from '../traffic/accounts.ts'
import { priceOf } from '../traffic/attempt.ts'
import { MOST_PROMPT_TOKENS } from '../traffic/topics.ts'
import type { AccountEvidence, Evidence } from './evidence.ts'
import { costOf } from './check-receipts.ts'

/** To the nano-euro: what was paid in is what is left and what the receipts say was charged. */
export function checkAccountMoney(evidence: AccountEvidence): string[] {
  const { account, creditedNano, balanceNano, heldNano, receipts } = evidence
  const charged = sum(receipts.map(({ cost_eur: cost }) => readEuros(cost)))
  const wrong: string[] = []
  if (balanceNano < 0n) wrong.push(`the balance is ${balanceNano} nano-euros`)
  if (heldNano !== 0n) wrong.push(`${heldNano} nano-euros are held though nothing is under way`)
  if (creditedNano - balanceNano !== charged) {
    const spent = creditedNano - balanceNano
    wrong.push(`${spent} nano-euros are gone, the receipts say ${charged}`)
  }
  if (!wasLiedTo(evidence) && !evidence.mayOverspend) {
    const writtenOff = sum(receipts.map(({ written_off_eur: amount }) => readEuros(amount)))
    if (writtenOff > 0n) wrong.push(`${writtenOff} nano-euros were overspent`)
  }
  return wrong.map((what) => `${account.name}: ${what}`)
}

/** No upstream can be kept from claiming more input than was held for; then the balance may not do. */
function wasLiedTo({ receipts }: AccountEvidence): boolean {
  return receipts.some(({ prompt_tokens: tokens }) => tokens > MOST_PROMPT_TOKENS)
}

/** The sum over all clients, against the sum of the same requests in the ledger. */
export function checkSums({ accounts }: Evidence): string[] {
  let atClients = 0n
  let inBooks = 0n
  for (const { attempts, receipts } of accounts) {
    const costs = new Map(receipts.map((receipt) => [receipt.request_id, costOf(receipt)]))
    for (const { end, head, brand } of attempts) {
      if (end.kind !== 'whole') continue
      atClients += priceOf(brand, end.usage)
      inBooks += costs.get(head?.requestId ?? '') ?? 0n
    }
  }
  if (atClients === inBooks) return []
  return [`clients saw charges of ${atClients} nano-euros, the ledger has ${inBooks} for them`]
}

export function checkBooks({ discrepancies, hasSpilled }: Evidence): string[] {
  const wrong = discrepancies.map((sentence) => `the books do not verify: ${sentence}`)
  if (hasSpilled) wrong.push('charges are still spilled though the store is back')
  return wrong
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
