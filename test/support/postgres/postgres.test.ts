import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startPostgres } from './index.ts'

for (const from of ['anywhere', 'package'] as const) {
  test(`a PostgreSQL from ${from} starts, whoever runs the tests, and keeps what it had`, async (t) => {
    const postgres = await startPostgres({ from })
    t.after(() => postgres.close())
    const connectionString = await postgres.createDatabase()
    const ask = async (text: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      const { rows } = await client.query<object>(text)
      await client.end()
      return rows
    }
    await ask('create table thing (name text)')
    await ask("insert into thing values ('kept')")
    await postgres.stop('killed')
    await assert.rejects(ask('select 1'), { code: 'ECONNREFUSED' })
    await postgres.start()
    assert.deepEqual(await ask('select name from thing'), [{ name: 'kept' }])
  })
}
