import { pino } from 'pino'

/** What the rooms need of a logger; pino's has it. */
export interface Log {
  debug(fields: object, sentence: string): void
  info(fields: object, sentence: string): void
  warn(fields: object, sentence: string): void
  error(fields: object, sentence: string): void
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One JSON object a line on standard output. Written whole even when the process then exits. */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: null }, pino.destination({ dest: 1, sync: true }))
}
