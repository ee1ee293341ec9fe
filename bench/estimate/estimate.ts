import { readdirSync, readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { countTokens } from '../../src/models/token-counter.ts'
import type { Report, Table } from '../report.ts'

/** One text of the corpus: what a real tokenizer makes of it, and what the estimate does. */
interface Measured {
  readonly sample: string
  /** The first word of the file's name: `prose`, `code`, `json`… */
  readonly category: string
  readonly realTokens: number
  readonly estimatedTokens: number
  /** How far the estimate is above (or, if negative, below) the real count. */
  readonly errorPercent: number
}

/** The promise of the estimate on ordinary texts, either way. */
const BOUND_PERCENT = 25

const CORPUS = new URL('corpus/', import.meta.url)
const SPEED_TEXT_BYTES = 10_000_000
const SPEED_ROUNDS = 5

/** The estimate of a prompt's tokens: how far it errs, and how fast it is. */
export function runEstimateBench(): Report {
  const measured = measureCorpus()
  const outside = measured.filter((one) => Math.abs(one.errorPercent) > BOUND_PERCENT)
  return {
    title: 'estimate: tokens of a prompt',
    tables: [describeSamples(measured), describeCategories(measured)],
    notes: [
      "The real count is of OpenAI's o200k; the promise is ±25 % on each.",
      `Counting runs at ${measureSpeedMegabytes().toFixed(0)} MB/s.`,
    ],
    problems: outside.map(({ sample }) => `${sample} is outside ±${BOUND_PERCENT} %`),
  }
}

/** Every sample of the corpus, in the order of their names. */
function measureCorpus(): Measured[] {
  return listSamples().map((sample) => {
    const text = readFileSync(new URL(sample, CORPUS), 'utf8')
    const realTokens = encode(text).length
    const estimatedTokens = countTokens(text)
    return {
      sample,
      category: sample.slice(0, sample.indexOf('-')),
      realTokens,
      estimatedTokens,
      errorPercent: 100 * (estimatedTokens / realTokens - 1),
    }
  })
}

function listSamples(): string[] {
  return readdirSync(CORPUS).toSorted()
}

function describeSamples(measured: readonly Measured[]): Table {
  return {
    columns: ['sample', 'real', 'estimate', 'error'],
    rows: measured.map(({ sample, realTokens, estimatedTokens, errorPercent }) => [
      sample,
      String(realTokens),
      String(estimatedTokens),
      formatPercent(errorPercent),
    ]),
  }
}

function describeCategories(measured: readonly Measured[]): Table {
  const rows: string[][] = []
  for (const [category, members] of Map.groupBy(measured, (one) => one.category)) {
    const errors = members.map((one) => one.errorPercent)
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const worst = errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
    rows.push([category, String(errors.length), formatPercent(mean), formatPercent(worst)])
  }
  return { columns: ['category', 'samples', 'mean', 'worst'], rows }
}

function formatPercent(percent: number): string {
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`
}

/** The best of a few rounds, in megabytes of UTF-8 a second: the first ones run uncompiled. */
function measureSpeedMegabytes(): number {
  const corpus = listSamples().map((sample) => readFileSync(new URL(sample, CORPUS)))
  const once = Buffer.concat(corpus)
  const copies = Math.ceil(SPEED_TEXT_BYTES / once.length)
  const bytes = Buffer.concat(Array.from({ length: copies }, () => once))
  const text = bytes.toString('utf8')
  let bestMs = Infinity
  for (let round = 0; round < SPEED_ROUNDS; round++) {
    const startedMs = performance.now()
    countTokens(text)
    bestMs = Math.min(bestMs, performance.now() - startedMs)
  }
  return bytes.length / 1_000_000 / (bestMs / 1000)
}
