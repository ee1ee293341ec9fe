import { runSqlFile, type Migrations } from '#platform/store/index.ts'

/** The embedded store has nothing of the gate: there it lives in memory. */
export const gateMigrations: Migrations = {
  async '0004_gate'(db, engine) {
    if (engine === 'postgres') await runSqlFile(db, new URL('./sql/gate.sql', import.meta.url))
  },
}
