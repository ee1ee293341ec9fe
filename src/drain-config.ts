import type { Environment } from './config.ts'

/** How the service ends once it is told to. */
export interface DrainConfig {
  /** How long it still takes requests, while it tells load balancers to send it no more. */
  readonly delayMs: number
  /** How long replies may go on after that before they are broken off. */
  readonly limitMs: number
}

/** Whoever starts it by hand wants it to end at once. */
const DRAIN_DELAY_MS = 0
const DRAIN_MS = 30_000

const MAX_MS = 3_600_000

export function readDrain(env: Environment, problems: string[]): DrainConfig {
  const toMs = (text: string | undefined, name: string, otherwise: number): number => {
    if (text === undefined) return otherwise
    if (/^\d+$/.test(text) && Number(text) <= MAX_MS) return Number(text)
    problems.push(`${name}: must be milliseconds, from 0 to ${MAX_MS}`)
    return otherwise
  }
  return {
    delayMs: toMs(env['PARLEY_DRAIN_DELAY_MS'], 'PARLEY_DRAIN_DELAY_MS', DRAIN_DELAY_MS),
    limitMs: toMs(env['PARLEY_DRAIN_MS'], 'PARLEY_DRAIN_MS', DRAIN_MS),
  }
}
