import { resolve } from 'node:path'
import type { Command } from 'commander'
import { isPostgresUrl } from '#platform/postgres-url.ts'
import type { CommandIo } from './command-io.ts'

export interface FoundStore {
  readonly dataDir: string
  /** Undefined: the embedded store in the data directory. */
  readonly databaseUrl: string | undefined
}

/** Which store the service of this environment has. */
export function findStore(command: Command, { env }: CommandIo): FoundStore {
  const databaseUrl = env['DATABASE_URL']
  const dataDir = resolve(env['PARLEY_DATA_DIR'] ?? './data')
  if (!databaseUrl) return { dataDir, databaseUrl: undefined }
  if (!isPostgresUrl(databaseUrl)) {
    // What was given is not repeated: it may have a password in it.
    command.error(
      'error: DATABASE_URL must be a URL like postgres://user:password@host:5432/database',
    )
  }
  return { dataDir, databaseUrl }
}
