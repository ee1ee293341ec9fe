import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { FAULTS } from '../../src/api/contract/schemas/error.ts'
import type { FaultCode } from '#platform/fault.ts'
import { takeFiles } from './take-files.ts'

type Answer = (response: ServerResponse) => void

/** How the code of the guide is to answer: with the reply's head, or by what it throws. */
type Ask = (request: object) => Promise<Response>

const ok: Answer = (response) => response.end('{}')

function refusal(code: FaultCode, retryAfterS?: number): Answer {
  const { status } = FAULTS[code]
  const asked = retryAfterS === undefined ? undefined : { 'retry-after': `${retryAfterS}` }
  return (response) => {
    response.writeHead(status, { 'x-request-id': 'req_1', ...asked })
    response.end(JSON.stringify({ error: { code, message: 'No.' } }))
  }
}

/** The guide's `ask`, which is answered so, one after the other; and when it asked. */
async function takeAsk(
  t: TestContext,
  answers: readonly Answer[],
): Promise<{ readonly ask: Ask; readonly askedAtMs: readonly number[] }> {
  const askedAtMs: number[] = []
  const server = createServer((_request, response) => {
    const answer = answers[askedAtMs.length]
    askedAtMs.push(performance.now())
    if (answer) answer(response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const files = takeFiles(t, 'errors', { 'http://127.0.0.1:8080': `http://127.0.0.1:${port}` })
  const { ask } = (await import(files.pathOf('ask.ts'))) as { readonly ask: Ask }
  return { ask, askedAtMs }
}

test('the code of the guide waits at least as long as a 429 asks', async (t) => {
  const answers = [refusal('rate_limit_rpm', 3), ok]
  const { ask, askedAtMs } = await takeAsk(t, answers)
  assert.equal((await ask({})).status, 200)
  const [first = 0, second = 0] = askedAtMs
  assert.ok(second - first >= 2_990, `${second - first} ms`)
})

test('the code of the guide tries a 502 again, later each time', async (t) => {
  const { ask, askedAtMs } = await takeAsk(t, [
    refusal('upstream_error'),
    refusal('upstream_error'),
    ok,
  ])
  assert.equal((await ask({})).status, 200)
  const [first = 0, second = 0, third = 0] = askedAtMs
  assert.ok(second - first >= 990, `${second - first} ms`)
  assert.ok(third - second >= 1_990, `${third - second} ms`)
})

test('the code of the guide tries nothing else again', async (t) => {
  const others = Object.entries(FAULTS).filter(([, { status }]) => status !== 429 && status !== 502)
  assert.ok(others.length > 5)
  for (const code of others.map(([name]) => name as FaultCode)) {
    const { ask, askedAtMs } = await takeAsk(t, [refusal(code), ok])
    await assert.rejects(ask({}), new RegExp(`${FAULTS[code].status} .*${code}.*req_1`))
    assert.equal(askedAtMs.length, 1, code)
  }
})

test('the code of the guide does not wait for midnight', async (t) => {
  const { ask, askedAtMs } = await takeAsk(t, [refusal('daily_spend_limit_reached', 3_600), ok])
  await assert.rejects(ask({}), /429 .*daily_spend_limit_reached/)
  assert.equal(askedAtMs.length, 1)
})

test('the code of the guide tries nothing again once a reply has begun', async (t) => {
  const breakOff: Answer = (response) => {
    response.write('data: {', () => response.destroy())
  }
  const { ask, askedAtMs } = await takeAsk(t, [breakOff, ok])
  const response = await ask({ stream: true })
  await assert.rejects(response.text())
  assert.equal(askedAtMs.length, 1)
})
