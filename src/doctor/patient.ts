import type { Config, Environment } from '#config.ts'
import type { Clock } from '#platform/clock.ts'
import type { Finding } from './finding.ts'
import type { RunningService } from './find-service.ts'

/** What is examined, and by which means. */
export interface Patient {
  readonly env: Environment
  readonly config: Config
  readonly clock: Clock
  /** How long one question may take. */
  readonly timeoutMs: number
  /** Of an account, for what only a caller sees; undefined: that is not looked at. */
  readonly apiKey: string | undefined
  /** A certificate authority to trust besides the usual ones; for tests. */
  readonly ca: string | undefined
  /** Whether the service runs where its configuration says: looked up once for all. */
  readonly service: Promise<RunningService>
}

/** A subject: its heading, and what looks at it. */
export interface Check {
  readonly title: string
  readonly run: (patient: Patient) => Promise<readonly Finding[]>
  /** Measures time: nothing else is done meanwhile. */
  readonly isAlone?: true
}
