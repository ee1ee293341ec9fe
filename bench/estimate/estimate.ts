import { readdirSync, readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { countTokens } from '../../src/models/token-counter.ts'

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

/** Prints errors and speed; true where no sample of any category is out of bounds. */
export function runEstimateBench(): boolean {
  const measured = measureCorpus()
  printSamples(measured)
  console.log()
  printCategories(measured)
  console.log(`\ncounting speed: ${measureSpeedMegabytes().toFixed(0)} MB/s`)
  const outside = measured.filter((one) => Math.abs(one.errorPercent) > BOUND_PERCENT)
  for (const one of outside) console.log(`outside ±${BOUND_PERCENT} %: ${one.sample}`)
  return outside.length === 0
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

function printSamples(measured: readonly Measured[]): void {
  printRow('sample', 'category', 'real', 'estimate', 'error')
  for (const one of measured) {
    const { sample, category, realTokens, estimatedTokens, errorPercent } = one
    const counts = [String(realTokens), String(estimatedTokens)] as const
    printRow(sample, category, ...counts, formatPercent(errorPercent))
  }
}

function printCategories(measured: readonly Measured[]): void {
  printRow('category', 'samples', 'mean', 'worst', '')
  for (const [category, members] of Map.groupBy(measured, (one) => one.category)) {
    const errors = members.map((one) => one.errorPercent)
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const worst = errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
    printRow(category, String(errors.length), formatPercent(mean), formatPercent(worst), '')
  }
}

function printRow(a: string, b: string, c: string, d: string, e: string): void {
  const cells = [a.padEnd(26), b.padEnd(12), c.padStart(9), d.padStart(10), e.padStart(10)]
  console.log(cells.join('').trimEnd())
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

if (import.meta.main) process.exitCode = runEstimateBench() ? 0 : 1
