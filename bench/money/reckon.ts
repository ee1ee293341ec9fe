import type { Attempt } from './call.ts'
import type { Books } from './contestant.ts'
import { costOf } from './reply.ts'

/** All that is known of one run: what clients saw, what the upstream sent, what the books say. */
export interface Evidence {
  readonly fundsNano: number
  readonly attempts: readonly Attempt[]
  /** Tokens, by the request's number. */
  readonly sent: Readonly<Record<number, number>>
  readonly books: Books
}

export interface Reckoning {
  readonly whole: number
  readonly cut: number
  readonly refused: number
  /** What the replies that ended cost beyond the funds. */
  readonly overspentNano: number
  /** Tokens of replies that ended, and are on no bill. */
  readonly unbilledWhole: number
  /** Tokens that clients had received when their reply was cut off, and are on no bill. */
  readonly unbilledCut: number
  /** Tokens on the bills of replies that were cut off, and never received. */
  readonly overbilled: number
  /** Tokens that the upstream sent for replies that were cut off, and that were never received. */
  readonly inVain: number
  /** Bills beyond the first of a reply. */
  readonly twice: number
  /** Taken from the account beyond its bills; less than nothing where bills were forgotten. */
  readonly unexplainedNano: number
  /** Tokens that were received of replies that were cut off. */
  readonly received: number
}

export function reckon({ fundsNano, attempts, sent, books }: Evidence): Reckoning {
  const bills = Map.groupBy(books.bills, ({ requestId }) => requestId)
  const of = (end: Attempt['end']): readonly Attempt[] =>
    attempts.filter((attempt) => attempt.end === end)
  const billed = ({ requestId = '' }: Attempt): number =>
    bills.get(requestId)?.[0]?.completionTokens ?? 0
  const missing = (attempt: Attempt): number => Math.max(0, attempt.tokens - billed(attempt))
  const [whole, cut, refused] = [of('whole'), of('cut'), of('refused')]
  const wholeNano = sum(whole.map(({ tokens }) => costOf(tokens)))
  return {
    whole: whole.length,
    cut: cut.length,
    refused: refused.length,
    overspentNano: Math.max(0, wholeNano - fundsNano),
    unbilledWhole: sum(whole.map(missing)),
    unbilledCut: sum(cut.map(missing)),
    overbilled: sum(cut.map((attempt) => Math.max(0, billed(attempt) - attempt.tokens))),
    inVain: sum(cut.map(({ number, tokens }) => (sent[number] ?? 0) - tokens)),
    twice: sum(Array.from(bills.values(), (found) => found.length - 1)),
    received: sum(cut.map(({ tokens }) => tokens)),
    unexplainedNano: books.takenNano - sum(books.bills.map(({ costNano }) => costNano)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
