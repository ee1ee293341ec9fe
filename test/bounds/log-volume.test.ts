import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exchange } from '../contract/raw-exchange.ts'
import { startChildService } from '../support/child-service.ts'
import { startFakeUpstream, type Fault } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { awaitValue } from '../upstreams/scene.ts'

/** What a caller chooses and should not find in our log: longer than any field of ours. */
const CANARY = `canary${'x'.repeat(7_000)}`
const MAX_LINE_LENGTH = 500

const upstream = await startFakeUpstream()
const service = await startChildService({
  dataDir: makeTemporaryDirectory({ after }),
  upstreamUrl: upstream.url,
  env: { LOG_LEVEL: 'info' },
})
after(async () => {
  await service.child.kill()
  await upstream.close()
})
const { key } = await service.openAccount('hostile')
// It takes four requests; a line is written after its answer.
await awaitValue(readLines, (lines) => lines.length === 4)

interface Line {
  readonly level: number
  readonly msg: string
  readonly request_id?: string
}

function readLines(): readonly string[] {
  return service.child.stdout.split('\n').filter((line) => line.startsWith('{'))
}

/** The lines that a deed has the service write, once none is missing of so many requests. */
async function linesOf(requests: number, deed: () => Promise<unknown>): Promise<readonly string[]> {
  const before = readLines().length
  await deed()
  const isRequest = (line: string) => (JSON.parse(line) as Line).msg === 'request'
  const lines = await awaitValue(
    () => readLines().slice(before),
    (found) => found.filter(isRequest).length >= requests,
  )
  for (const line of lines) {
    assert.ok(line.length <= MAX_LINE_LENGTH, `${line.length} characters: ${line.slice(0, 600)}`)
    assert.doesNotMatch(line, /canary/)
  }
  return lines
}

function ask(path: string, headers: Record<string, string>, body?: string) {
  return fetch(service.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  }).then((response) => response.text())
}

const good = { authorization: `Bearer ${key}` }
const hello = '{"messages":[{"role":"user","content":"Hello!"}]}'

const hostile: Readonly<Record<string, () => Promise<unknown>>> = {
  'a long address': () => ask(`/${CANARY}`, {}),
  'a long query': () => ask(`/v1/chat/air?${CANARY}`, good, hello),
  'a long brand': () => ask(`/v1/chat/${CANARY}`, good, hello),
  'a long key': () => ask('/v1/chat/air', { authorization: `Bearer ${CANARY}` }, hello),
  'a long user agent': () => ask('/v1/chat/air', { ...good, 'user-agent': CANARY }, hello),
  'a request id of its own': () => ask('/v1/chat/air', { ...good, 'x-request-id': CANARY }, hello),
  'a long host': () => ask('/v1/chat/air', { ...good, 'x-forwarded-host': CANARY }, hello),
  'a long type': () => ask('/v1/chat/air', { ...good, 'content-type': CANARY }, hello),
  'a body that is no JSON': () => ask('/v1/chat/air', good, CANARY),
  'a field with a long name': () => ask('/v1/chat/air', good, `{"${CANARY}":1}`),
}

for (const [what, deed] of Object.entries(hostile)) {
  test(`a request with ${what} is one short line`, async () => {
    const lines = await linesOf(1, deed)
    assert.equal(lines.length, 1)
    assert.match((JSON.parse(lines[0]!) as Line).request_id ?? '', /^req_/)
  })
}

test('what cannot be read is no line at all', async () => {
  const lines = await linesOf(1, async () => {
    const noise = [`${CANARY}\r\n\r\n`, `GET /${CANARY}${CANARY}${CANARY} HTTP/1.1\r\n\r\n`]
    for (const text of noise) await exchange(service, [text])
    await ask(`/%zz${CANARY}`, {})
    await ask('/nothing', {})
  })
  assert.equal(lines.length, 1)
})

test('an upstream that fails with a long story is two short lines, its own and the request', async () => {
  const faults: Fault[] = [
    { kind: 'status', status: 500, body: CANARY },
    { kind: 'status', status: 400, body: CANARY },
    { kind: 'not-the-format', body: CANARY },
  ]
  for (const fault of faults) {
    upstream.play({ fault })
    const lines = await linesOf(1, () => ask('/v1/chat/air', good, hello))
    assert.ok(lines.length <= 2, lines.join('\n'))
  }
})

test('a thousand refusals are a thousand lines, and no more', async () => {
  const deed = async () => {
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => ask('/v1/chat/zoom', good, hello)))
    }
  }
  assert.equal((await linesOf(1_000, deed)).length, 1_000)
})
