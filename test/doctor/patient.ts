import { readConfig, type Config } from '../../src/config.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import type { Patient } from '../../src/doctor/patient.ts'
import { NO_FILE } from '../support/config-files.ts'
import { createManualClock } from '../support/manual-clock.ts'

type Env = Readonly<Record<string, string>>

export interface PatientOptions extends Partial<Omit<Patient, 'config' | 'service' | 'env'>> {
  readonly env?: Env
  /** Instead of what the environment says. */
  readonly config?: Partial<Config>
  readonly service?: Awaited<Patient['service']>
}

/** Whom one check looks at: no service runs, and an answer may take as long as a slow machine needs. */
export function makePatient(options: PatientOptions = {}): Patient {
  const env = { ...NO_FILE, OLLAMA_HOST: 'http://127.0.0.1:1', ...options.env }
  return {
    clock: createManualClock(),
    timeoutMs: 5_000,
    apiKey: undefined,
    ca: undefined,
    ...options,
    env,
    config: { ...readConfig(env), ...options.config },
    service: Promise.resolve(
      options.service ?? {
        kind: 'absent',
        origin: 'http://127.0.0.1:1',
        reason: 'not in this test',
      },
    ),
  }
}

/** `warning: what was found → what to do` */
export function tell(findings: readonly Finding[]): string {
  return findings
    .map(({ level, found, advice }) => `${level}: ${found}${advice ? ` → ${advice}` : ''}`)
    .join('\n')
}

export const RUNNING = { kind: 'running', version: '0.1.0', origin: 'http://127.0.0.1:1' } as const
