import { createTokenCounter, type ReportedUsage } from '#models/index.ts'
import type { Usage } from './usage.ts'

/** Keeps count of a reply as it passes, so that it can be billed wherever it ends. */
export interface Tally {
  /** Counts generated text, shown or not. */
  count(text: string): void
  report(usage: ReportedUsage): void
  /** True when the upstream has surely gone past what it was allowed to generate. */
  overran(): boolean
  /** The tokens that the counted text is short of the limit, at least 0. */
  left(): number
  result(): Tallied
}

export interface Tallied {
  readonly usage: Usage
  readonly source: 'upstream' | 'counted'
  /** True where the upstream says that it generated more than it was allowed. */
  readonly beyondLimit: boolean
}

export interface TallyOptions {
  readonly promptEstimate: number
  readonly maxTokens: number
  /** No prompt is longer: a report of more is a lie, and is not believed. */
  readonly contextWindow: number
}

/** How far our count may be above the upstream's own before we call it an overrun. */
const COUNT_MARGIN = 1.3
const COUNT_SLACK = 8
/** The same where the upstream says that it keeps to its limit: scripts differ, lies are larger. */
const REPORTED_MARGIN = 16
const REPORTED_SLACK = 64
/** Pieces that count for less than this are parts of tokens. */
const TOKENS_A_PIECE = 0.9

export function createTally({ promptEstimate, maxTokens, contextWindow }: TallyOptions): Tally {
  const counter = createTokenCounter()
  let pieces = 0
  let reported: ReportedUsage | undefined
  const exceeds = (margin: number, slack: number): boolean =>
    counter.tokens > maxTokens * margin + slack

  return {
    count(text) {
      pieces += 1
      counter.add(text)
    },
    report(usage) {
      if (usage.promptTokens <= contextWindow) reported = usage
    },
    overran() {
      // The upstream's own figure is believed, within reason.
      if (reported) {
        return reported.completionTokens > maxTokens || exceeds(REPORTED_MARGIN, REPORTED_SLACK)
      }
      if (exceeds(COUNT_MARGIN, COUNT_SLACK)) return true
      // Servers send a token a piece or more, so more pieces than tokens allowed are an overrun,
      // unless the pieces are so small that they cannot be tokens.
      const areTokens = counter.tokens >= pieces * TOKENS_A_PIECE
      return areTokens && pieces > maxTokens && counter.tokens > maxTokens
    },
    left: () => Math.max(0, maxTokens - counter.tokens),
    result() {
      const usage = reported ?? { promptTokens: promptEstimate, completionTokens: counter.tokens }
      return {
        usage: {
          promptTokens: usage.promptTokens,
          completionTokens: Math.min(usage.completionTokens, maxTokens),
        },
        source: reported ? 'upstream' : 'counted',
        beyondLimit: reported !== undefined && reported.completionTokens > maxTokens,
      }
    },
  }
}
