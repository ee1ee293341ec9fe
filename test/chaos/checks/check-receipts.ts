import { readEuros } from '../traffic/accounts.ts'
import { priceOf, type Attempt } from '../traffic/attempt.ts'
import type { Receipt } from '../world/operator.ts'
import type { AccountEvidence } from './evidence.ts'

/** What every client saw against what the books have of it. A sentence for each disagreement. */
export function checkReceipts(evidence: AccountEvidence): string[] {
  const { account, attempts, receipts, inDoubt } = evidence
  const byId = new Map<string, Receipt>()
  const wrong: string[] = []
  for (const receipt of receipts) {
    if (byId.has(receipt.request_id)) wrong.push(`${receipt.request_id} has two receipts`)
    byId.set(receipt.request_id, receipt)
  }
  const known = new Set<string>()
  let headless = 0
  for (const attempt of attempts) {
    if (!attempt.head) headless += 1
    else {
      const { requestId, status } = attempt.head
      known.add(requestId)
      if (inDoubt && status === 503) continue
      wrong.push(
        ...checkAttempt(attempt, byId.get(requestId)).map((what) => `${requestId} ${what}`),
      )
    }
  }
  // Of a request whose connection broke before its head came, nobody knows the id.
  const strangers = receipts.filter(({ request_id: id }) => !known.has(id))
  if (strangers.length > headless) {
    const ids = strangers.map(({ request_id: id }) => id).join(', ')
    wrong.push(`${strangers.length} receipts for ${headless} requests of unknown id: ${ids}`)
  }
  return wrong.map((what) => `${account.name}: ${what}`)
}

function checkAttempt({ end, head, brand, maxTokens }: Attempt, receipt?: Receipt): string[] {
  switch (end.kind) {
    case 'broken':
      return []
    case 'refused':
      return checkRefusal(head?.status ?? 0, receipt)
    case 'whole': {
      const { usage, finishReason } = end
      const price = priceOf(brand, usage)
      // A stream whose head went out before its upstream failed ends so, and had nothing to pay for.
      if (!receipt && finishReason === 'error' && price === 0n) return []
      if (!receipt) return ['ended at its client and has no receipt']
      return [
        ...differ('costs', costOf(receipt), price),
        ...differ('prompt tokens', receipt.prompt_tokens, usage.prompt_tokens),
        ...differ('completion tokens', receipt.completion_tokens, usage.completion_tokens),
        ...(usage.completion_tokens > maxTokens ? [`shows more than its ${maxTokens} tokens`] : []),
      ]
    }
  }
}

/** Who was refused pays nothing, and who never came to an upstream has no receipt either. */
function checkRefusal(status: number, receipt: Receipt | undefined): string[] {
  if (!receipt) return []
  if (costOf(receipt) !== 0n) return [`was answered ${status} and is charged ${receipt.cost_eur} €`]
  return status < 500 ? [`was answered ${status} and has a receipt`] : []
}

function differ<Value>(what: string, inBooks: Value, atClient: Value): string[] {
  if (inBooks === atClient) return []
  return [`${what}: ${String(inBooks)} in the books, ${String(atClient)} at its client`]
}

/** What the reply was worth, whoever paid for it. */
export function costOf({ cost_eur: charged, written_off_eur: writtenOff }: Receipt): bigint {
  return readEuros(charged) + readEuros(writtenOff)
}
