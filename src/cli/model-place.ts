import { resolve } from 'node:path'
import type { Place } from '#model-files/index.ts'
import type { CommandIo } from './command-io.ts'

/** Where the service of this environment has its models, and what it uses before them. */
export function findPlace({ env }: CommandIo): Place {
  return {
    dataDir: resolve(env['PARLEY_DATA_DIR'] ?? './data'),
    given: env['PARLEY_MODEL'],
    hasServer: Boolean(env['PARLEY_UPSTREAM_URL']),
  }
}

/** Sentences of what is set here, and goes before what is installed. */
export function describePrecedence({ env }: CommandIo): string[] {
  return ['PARLEY_MODEL', 'PARLEY_UPSTREAM_URL']
    .filter((name) => env[name])
    .map((name) => `${name} is set, and goes before what is installed.`)
}
