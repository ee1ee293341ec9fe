import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { formatEuros } from '#platform/money.ts'
import { describeProblem, findProblems } from '#platform/schema/index.ts'
import type { Figure } from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import { FILES } from './backup-files.ts'

/** What can be understood here. A later one is of a newer version. */
const FORMAT = 1
const NAME = 'manifest.json'

const Text = Type.String({ minLength: 1, maxLength: 1_000 })

/** A count, or a sum of amounts in euros; as text, for all accounts together may pass a number. */
const ManifestFigure = Type.Object({
  table: Text,
  figure: Text,
  unit: Type.Enum(['count', 'eur']),
  value: Text,
})
export type ManifestFigure = Static<typeof ManifestFigure>

/** What a backup says of itself, in manifest.json. */
export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** Of the Parley that made it. */
  version: Text,
  made_at: Text,
  engine: Type.Enum(['sqlite', 'postgres']),
  /** The data directory, or host, port and name of the database. */
  source: Text,
  /** Which the store had had: they tell its version. */
  migrations: Type.Array(Text, { minItems: 1, maxItems: 1_000 }),
  /** `apart`: whoever restores needs PARLEY_SECRET from elsewhere. */
  secret: Type.Enum(['included', 'apart']),
  files: Type.Array(
    Type.Object({
      name: Type.Enum([...FILES]),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { minItems: 1, maxItems: FILES.length },
  ),
  /** What adding up the books of the copy found; left out where they are of another version. */
  books: Type.Optional(
    Type.Object({
      ok: Type.Boolean(),
      transfers: Type.Integer({ minimum: 0 }),
      accounts: Type.Integer({ minimum: 0 }),
    }),
  ),
  /** Counts and sums of each table; left out likewise. */
  figures: Type.Optional(Type.Array(ManifestFigure, { maxItems: 10_000 })),
})
export type Manifest = Static<typeof Manifest>
export type ManifestFile = Manifest['files'][number]

/** Written last: what has none is no backup. */
export function writeManifest(directory: string, manifest: Manifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeFileSync(join(directory, NAME), text, { mode: 0o600, flag: 'wx', flush: true })
}

export function manifestPathOf(directory: string): string {
  return join(directory, NAME)
}

/** Throws a BackupRefused where the directory is no backup that this version can read. */
export function readManifest(directory: string): Manifest {
  const value = readJson(directory)
  const { format, version } = (value ?? {}) as { readonly format?: unknown; version?: unknown }
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupRefused(
      `The backup in ${directory} was made by a newer version (${String(version)}), in a form that this ` +
        'one does not know. Restore it by that version.',
    )
  }
  const [problem] = findProblems(Manifest, value, 1)
  if (problem) {
    throw new BackupRefused(
      `${manifestPathOf(directory)} is damaged, or is not of Parley: ${describeProblem(problem, 'the file')}. ` +
        'Take another backup.',
    )
  }
  return value as Manifest
}

function readJson(directory: string): unknown {
  const path = manifestPathOf(directory)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const isNone = code === 'ENOENT' || code === 'ENOTDIR'
    throw new BackupRefused(
      isNone
        ? `${directory} is no backup: there is no ${NAME} in it. Give the directory that parley backup made.`
        : `${path} cannot be read: ${message}.`,
      { cause },
    )
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BackupRefused(`${path} is damaged: it is no JSON. Take another backup.`, { cause })
  }
}

export function toManifestFigures(figures: readonly Figure[]): ManifestFigure[] {
  return figures.map(({ table, name, unit, value }) => ({
    table,
    figure: name,
    unit: unit === 'nano' ? 'eur' : 'count',
    value: unit === 'nano' ? formatEuros(value) : value.toString(),
  }))
}

/** Names each figure that is another than the manifest says, e.g. "receipt (rows)". */
export function findDifferences(
  told: readonly ManifestFigure[],
  found: readonly ManifestFigure[],
): string[] {
  const write = (one: ManifestFigure): string => `${one.table} (${one.figure}) ${one.value}`
  const [toldLines, foundLines] = [new Set(told.map(write)), new Set(found.map(write))]
  return [...toldLines.symmetricDifference(foundLines)]
}
