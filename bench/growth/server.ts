import { Client } from 'pg'
import { startPostgres } from '../../test/support/postgres/start-postgres.ts'

/** A PostgreSQL to make databases on, and to drop them when they have been measured. */
export interface Server {
  createDatabase(name: string): Promise<string>
  dropDatabase(url: string): Promise<void>
  close(): Promise<void>
}

/** Nothing of a benchmark has to survive the machine; the memory is that of a small server. */
const SETTINGS = [
  'shared_buffers=2GB',
  'max_wal_size=8GB',
  'maintenance_work_mem=256MB',
  'wal_level=minimal',
  'max_wal_senders=0',
]

/** That of DATABASE_URL, whose user must be a superuser, else one that is started here. */
export async function openServer(): Promise<Server> {
  const given = process.env['DATABASE_URL']
  const started = given === undefined ? await startPostgres({ settings: SETTINGS }) : undefined
  const base = given ?? (await started?.createDatabase()) ?? ''
  const run = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: base })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  return {
    async createDatabase(name) {
      await run(`create database ${name}`)
      const url = new URL(base)
      url.pathname = name
      return url.href
    },
    dropDatabase: (url) => run(`drop database ${new URL(url).pathname.slice(1)} with (force)`),
    close: async () => started?.close(),
  }
}
