import type { Kysely, Transaction } from 'kysely'

/** A transaction of whichever room began it: others take part in it by `withTables`. */
export type AnyTransaction = Pick<Transaction<object>, 'isTransaction'>
export type AnyDatabase = Pick<Kysely<object>, 'isTransaction'>

/** The same connection, as a room sees it: with the tables that it owns. */
export function withTables<Tables>(db: AnyTransaction): Transaction<Tables>
export function withTables<Tables>(db: AnyDatabase): Kysely<Tables>
export function withTables<Tables>(db: AnyDatabase): Kysely<Tables> {
  // Tables exist for the compiler alone, and each room's migrations make what its types say.
  return db as Kysely<Tables>
}
