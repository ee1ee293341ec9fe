import type { SqliteProcedure } from '#platform/store/index.ts'

/** Does nothing, in the database's thread. */
export const procedure: SqliteProcedure<undefined, void> = () => {}
