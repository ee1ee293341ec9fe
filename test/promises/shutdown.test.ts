import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { hello, openAccount } from '../support/call.ts'
import { startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** Far less than a connection is kept open, or the service waits for replies. */
const PROMPT_MS = 4_000

async function startPaused(t: TestContext) {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>()
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const usage = { promptTokens: 10, completionTokens: 3 }
  upstream.play({ content: 'one two three', usage, pauses: [{ at: 'after-delta-1', until }] })
  return { upstream, goOn }
}

async function startChildWithKey(
  t: TestContext,
  upstreamUrl: string,
  env: Readonly<Record<string, string>> = {},
) {
  const dataDir = makeTemporaryDirectory(t)
  const service = await startChildService({ dataDir, upstreamUrl, env })
  t.after(() => service.child.kill())
  const { key } = await service.openAccount('one')
  return { dataDir, service, key }
}

function ask(origin: string, key: string, stream: boolean): Promise<Response> {
  return fetch(`${origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...hello, stream, max_tokens: 20 }),
  })
}

/** Reads on until the text has come. */
async function readUntil(
  reader: ReadableStreamDefaultReader<string>,
  text: string,
): Promise<string> {
  let seen = ''
  while (!seen.includes(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the stream ended before ${text}: ${seen}`)
    seen += value
  }
  return seen
}

function readerOf(response: Response): ReadableStreamDefaultReader<string> {
  return response.body!.pipeThrough(new TextDecoderStream()).getReader()
}

/** Resolves when connections are refused. */
async function waitForRefusal({ port }: ChildService): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const refused = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true)
    socket.destroy()
    if (refused) return
    await nextTurn()
  }
}

function readReceipt(dataDir: string, requestId: string): Record<string, unknown> | undefined {
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true })
  try {
    return database.prepare('select * from receipt where request_id = ?').get(requestId)
  } finally {
    database.close()
  }
}

async function endsPromptly(service: ChildService): Promise<void> {
  const bound = setTimeout(() => void service.child.kill(), PROMPT_MS)
  const code = await service.child.ended
  clearTimeout(bound)
  assert.notEqual(code, null, `it has not ended within ${PROMPT_MS} ms`)
  assert.equal(code, 0)
  assert.equal(service.child.stderr, '')
}

test('told to stop, it accepts no one new, ends the stream under way, charges it and exits with 0', async (t) => {
  const { upstream, goOn } = await startPaused(t)
  const { dataDir, service, key } = await startChildWithKey(t, upstream.url)
  const response = await ask(service.origin, key, true)
  const reader = readerOf(response)
  await readUntil(reader, 'one')
  service.child.process.kill('SIGTERM')
  await waitForRefusal(service)
  // One signal more, as an impatient supervisor sends it, changes nothing.
  service.child.process.kill('SIGTERM')
  goOn()
  const rest = await readUntil(reader, '[DONE]')
  assert.match(rest, /"finish_reason":"stop"/)
  await endsPromptly(service)
  const receipt = readReceipt(dataDir, response.headers.get('x-request-id') as string)
  assert.equal(receipt?.['charged_nano'], 10 * 260 + 3 * 3_100)
  assert.equal(receipt?.['ended'], 'completed')
})

test('told to stop, it ends a whole reply under way too', async (t) => {
  const { upstream, goOn } = await startPaused(t)
  const { dataDir, service, key } = await startChildWithKey(t, upstream.url)
  upstream.play({
    content: 'one two three',
    pauses: [{ at: 'before-head', until: waitForRefusal(service).then(goOn) }],
  })
  const answering = ask(service.origin, key, false)
  await upstream.request(0)
  service.child.process.kill('SIGTERM')
  const response = await answering
  assert.match(await response.text(), /"content":"one two three"/)
  await endsPromptly(service)
  assert.ok(readReceipt(dataDir, response.headers.get('x-request-id') as string))
})

test('given time for load balancers to turn away, it says so and takes requests until then, one a connection', async (t) => {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const { service, key } = await startChildWithKey(t, upstream.url, {
    PARLEY_DRAIN_DELAY_MS: '1500',
  })
  const up = await fetch(`${service.origin}/up`)
  assert.equal(`${up.status} ${await up.text()}`, '200 up\n')
  assert.equal(up.headers.get('connection'), 'keep-alive')
  service.child.process.kill('SIGTERM')
  let said = await fetch(`${service.origin}/up`)
  while (said.status === 200) {
    await said.text()
    said = await fetch(`${service.origin}/up`)
  }
  assert.equal(`${said.status} ${await said.text()}`, '503 draining\n')
  for (const stream of [false, true]) {
    const response = await ask(service.origin, key, stream)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('connection'), 'close')
    assert.match(await response.text(), stream ? /\[DONE\]/ : /"content":/)
  }
  await waitForRefusal(service)
  await endsPromptly(service)
})

test('with nothing under way it stops at once, on either signal, idle connections or not', async (t) => {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { service, key } = await startChildWithKey(t, upstream.url)
    assert.equal((await (await ask(service.origin, key, false)).text()).length > 0, true)
    service.child.process.kill(signal)
    service.child.process.kill(signal)
    await endsPromptly(service)
  }
})

test('a stream that outlasts the time to drain is broken off, and charged for what it gave', async (t) => {
  const { upstream } = await startPaused(t)
  const options = { kind: 'openai', name: 'fake', model: 'm', apiKey: undefined } as const
  const service = await startService({ upstreams: [{ ...options, url: upstream.url }] })
  t.after(() => service.close())
  const { accountId, key } = await openAccount(service, { depositEur: '10.00' })
  const response = await ask(service.origin, key, true)
  const reader = readerOf(response)
  await readUntil(reader, 'one')
  await service.app.close(20)
  await assert.rejects(readUntil(reader, '[DONE]'))
  const [receipt] = await service.app.ledger.receipts(accountId, { before: undefined, limit: 1 })
  assert.equal(receipt?.request_id, response.headers.get('x-request-id'))
  assert.equal(receipt?.ended, 'client_left')
  assert.ok(receipt.charged_nano > 0)
  assert.deepEqual((await service.app.ledger.verify()).discrepancies, [])
})
