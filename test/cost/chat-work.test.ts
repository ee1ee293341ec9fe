import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../support/each-engine.ts'
import { startPostgres } from '../support/postgres/index.ts'
import { BUDGETS, TOLERANCE, type Reply } from './budgets.ts'
import { startCounter } from './count-work.ts'
import type { Work } from './probe.ts'

const QUESTION = { messages: [{ role: 'user', content: 'Is it so? '.repeat(40) }], max_tokens: 256 }
const STREAMED: Readonly<Record<Reply, boolean>> = { whole: false, streamed: true }

for (const engine of ENGINES) {
  test(`a chat request takes no more work than its budget (${engine})`, async (t) => {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    t.after(() => postgres?.close())
    const env = postgres ? { DATABASE_URL: await postgres.createDatabase() } : {}
    const counter = await startCounter(t, env)
    for (const [reply, stream] of Object.entries(STREAMED)) {
      const work = await counter.count({ ...QUESTION, stream })
      t.diagnostic(`${reply}: ${JSON.stringify(work)}`)
      const budget = BUDGETS[engine][reply as Reply]
      assert.deepEqual(findOffences(work, budget), [], `${engine}, ${reply}`)
    }
  })
}

/** Less is told, too: a budget that is too large hides what is added later. */
function findOffences(work: Work, budget: Work): string[] {
  const names = Object.keys(budget) as (keyof Work)[]
  return names
    .filter((name) => Math.abs(work[name] / budget[name] - 1) > TOLERANCE)
    .map((name) => `${name}: ${work[name]}, and its budget is ${budget[name]}`)
}
