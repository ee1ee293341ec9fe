import { MIGRATIONS } from '#tables.ts'
import { counted, note, ok, problem, type Finding } from '../finding.ts'

/** The migrations that a store has had, against those that this release knows. */
export function judgeMigrations(done: readonly string[] | undefined): Finding[] {
  const known = MIGRATIONS.flatMap((room) => Object.keys(room))
  if (done === undefined) return [note('It is empty: the first start makes its tables.')]
  const newer = done.filter((name) => !known.includes(name))
  if (newer.length > 0) {
    const found = `It was brought up to date by a newer release (${newer[0]}).`
    return [problem(found, 'Start that release, or restore the backup from before the upgrade.')]
  }
  const pending = known.filter((name) => !done.includes(name)).toSorted()
  if (pending.length === 0) {
    return [ok(`${counted(done.length, 'migration')} run, none is pending.`)]
  }
  return [
    note(
      `${counted(pending.length, 'migration')} pending: the next start runs them (${pending[0]} first).`,
      'Make a backup before: migrations go forward only.',
    ),
  ]
}
