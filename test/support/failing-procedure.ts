import type { SqliteProcedure } from '#platform/store/index.ts'

/** For tests of the store: writes a row, then fails where it is told to. */
export const procedure: SqliteProcedure<{ name: string; fails: boolean }, number> = (
  statements,
  { name, fails },
) => {
  statements.prepare('insert into thing (name) values (?)').run(name)
  if (fails) throw new Error(`failed after ${name}`)
  const row = statements.prepare('select count(*) as things from thing').get()
  return (row as { things: number }).things
}
