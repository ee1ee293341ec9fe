import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { takeFiles } from './take-files.ts'

/** What `pace.ts` of the guide is. */
interface Pace {
  waitForRoom(tokens: number): Promise<void>
  readRoom(headers: Headers): void
}

const LEFT = '"requests";r=1;t=1, "tokens";r=500;t=1'
const NO_REQUESTS = '"requests";r=0;t=1, "tokens";r=500;t=1'
/** Timers may be early by a millisecond. */
const ALMOST_MS = 990

async function takePace(t: TestContext): Promise<Pace> {
  return (await import(takeFiles(t, 'rate-limits').pathOf('pace.ts'))) as Pace
}

/** How long it waits for room for so many tokens, in milliseconds, when that was left. */
async function measureWait(pace: Pace, tokens: number, left?: string): Promise<number> {
  if (left !== undefined) pace.readRoom(new Headers({ ratelimit: left }))
  const startMs = performance.now()
  await pace.waitForRoom(tokens)
  return performance.now() - startMs
}

test('the code of the guide asks at once where there is room, or none is known of', async (t) => {
  const pace = await takePace(t)
  assert.ok((await measureWait(pace, 500)) < ALMOST_MS)
  assert.ok((await measureWait(pace, 500, LEFT)) < ALMOST_MS)
})

test('the code of the guide waits for the window to end, and no longer', async (t) => {
  const pace = await takePace(t)
  assert.ok((await measureWait(pace, 501, LEFT)) >= ALMOST_MS)
  assert.ok((await measureWait(pace, 501)) < ALMOST_MS)
  assert.ok((await measureWait(pace, 1, NO_REQUESTS)) >= ALMOST_MS)
})
