import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describeTimeout, readObject } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'
import { judgeMigrations } from './judge-migrations.ts'
import type { SqliteFacts } from './read-sqlite.ts'

/** Opened to be read alone, in a process of its own: a check that takes too long can be ended. */
export async function checkSqlite({ config, timeoutMs }: Patient): Promise<Finding[]> {
  const path = join(config.dataDir, 'parley.db')
  if (!existsSync(path)) return [note('There is no store yet: the first start makes one.')]
  const said = await readInChild(path, timeoutMs)
  const [first = '', second] = said.split('\n').filter((line) => line !== '')
  const facts = readObject<SqliteFacts | { readonly error: string }>(first)
  if (facts === undefined) {
    const found = `The store in ${path} could not be looked at: ${describeTimeout(timeoutMs)}.`
    return [warning(found, 'Give more time with --timeout, and look at the disk.')]
  }
  if ('error' in facts) {
    const advice = 'Put the data directory aside as it is, and restore a backup into a new one.'
    return [problem(`The store in ${path} cannot be read: ${facts.error}.`, advice)]
  }
  const size = `${Math.ceil(sizeOf(path) / 1024).toLocaleString('en')} KiB`
  return [
    ok(`SQLite ${facts.version}, ${size}, journal mode ${facts.journalMode}.`),
    ...judgeJournal(facts),
    ...judgeMigrations(facts.migrations),
    judgeIntegrity(second, timeoutMs),
  ]
}

/** With what is not in the file itself yet. */
function sizeOf(path: string): number {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size)
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

function judgeJournal({ journalMode }: SqliteFacts): Finding[] {
  if (journalMode === 'wal') return []
  const found = `The journal mode of the store is ${journalMode}; the service sets it to wal.`
  return [warning(found, 'Somebody else has written to it. Look who, and restart the service.')]
}

function judgeIntegrity(line: string | undefined, timeoutMs: number): Finding {
  if (line === undefined) {
    return note(
      `Whether the file is whole took longer than ${timeoutMs / 1_000} s to find out.`,
      'Give more time with --timeout, or look at a backup: sqlite3 parley.db "pragma quick_check"',
    )
  }
  const complaints = readObject<readonly string[]>(line) ?? []
  if (complaints.length === 0) return ok('The file is whole (pragma quick_check).')
  return problem(
    `The file is damaged: ${complaints[0]}${complaints.length > 1 ? `, and ${complaints.length - 1} more` : ''}.`,
    'Stop the service, keep a copy of the data directory, and restore a backup.',
  )
}

/** What was said until it ended, or until it was ended. */
async function readInChild(path: string, timeoutMs: number): Promise<string> {
  const script = new URL('./read-sqlite.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'ignore'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let said = ''
  child.stdout.on('data', (piece) => (said += String(piece)))
  const { promise, resolve } = Promise.withResolvers<string>()
  child.on('close', () => resolve(said)).on('error', () => resolve(said))
  return promise.finally(() => clearTimeout(timer))
}
