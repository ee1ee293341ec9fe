import { runSqlFile, runStatements, type Migrations } from '#platform/store/index.ts'

/** The embedded store has nothing of the gate: there it lives in memory. */
export const gateMigrations: Migrations = {
  async '0004_gate'(db, engine) {
    if (engine === 'postgres') await runSqlFile(db, new URL('./sql/gate.sql', import.meta.url))
  },
  // After the limits themselves (accounts). Stores that are older have functions that know none.
  async '0015_key_limits_at_gate'(db, engine) {
    if (engine !== 'postgres') return
    await runStatements(
      db,
      'alter table gate_hold add column key_id text',
      'create index gate_hold_of_key on gate_hold (key_id)',
    )
    await runSqlFile(db, new URL('./sql/admission.sql', import.meta.url))
  },
}
