import { startPostgres } from '../support/postgres/index.ts'
import { isUsed } from './page-ports.ts'
import type { Snippet } from './read-snippets.ts'

/** The port that pages give PostgreSQL. */
export const POSTGRES_PORT = '5432'

/** Where a page names PostgreSQL at 127.0.0.1: one with an empty database "parley", for user "parley". */
export async function startPagePostgres(
  snippets: readonly Snippet[],
): Promise<{ readonly port: number; close(): Promise<void> } | undefined> {
  const place = new RegExp(String.raw`\b(127\.0\.0\.1|localhost):${POSTGRES_PORT}\b`)
  if (!snippets.some((snippet) => isUsed(snippet) && place.test(snippet.text))) return undefined
  const postgres = await startPostgres()
  const { port } = new URL(await postgres.createDatabase('parley'))
  return { port: Number(port), close: () => postgres.close() }
}
