import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  CHILD_OPERATOR_TOKEN,
  startChildService,
  type ChildService,
} from '../support/child-service.ts'
import {
  startFakeUpstream,
  type FakeUpstream,
  type Fault,
  type Reply,
} from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const UPSTREAM_KEY = `upstream-key-${randomBytes(12).toString('hex')}`

/** Words that occur nowhere else, so that any trace of one is a leak. */
function createCanaries() {
  const words: string[] = []
  return {
    words,
    sing(place: string): string {
      const word = `canary${place.replaceAll('-', '')}${randomBytes(8).toString('hex')}`
      words.push(word)
      return word
    },
  }
}

type Sing = ReturnType<typeof createCanaries>['sing']

test('no word of a conversation and no secret is stored, logged or printed, whatever goes wrong', async (t) => {
  const { words, sing } = createCanaries()
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const dataDir = makeTemporaryDirectory(t)
  const service = await startChildService({
    dataDir,
    upstreamUrl: upstream.url,
    env: { LOG_LEVEL: 'debug', PARLEY_UPSTREAM_KEY: UPSTREAM_KEY },
  })
  t.after(() => service.child.kill())
  const key = await prepareFirstAccount(service)

  const statuses = await playConversations({ service, upstream, key, sing })
  // Every failure kind has been met, or the search below would prove little.
  for (const status of [200, 400, 502]) assert.ok(statuses.has(status), `no reply was ${status}`)
  await leaveMidStream({ service, upstream, key, sing })
  await sendInvalidRequests({ service, upstream, key, sing })
  assert.ok(
    upstream.requests.some(({ headers }) => headers.authorization === `Bearer ${UPSTREAM_KEY}`),
  )

  const search = () => searchEverything(service, dataDir, [...words, key])
  assert.deepEqual(search(), [])
  service.child.process.kill('SIGTERM')
  assert.equal(await service.child.ended, 0)
  assert.deepEqual(search(), [])
  assert.match(service.child.stdout, /"request_id":"req_/)
})

interface World {
  readonly service: ChildService
  readonly upstream: FakeUpstream
  readonly key: string
  readonly sing: Sing
}

/** The key that the first start printed, its account made rich enough for all that follows. */
async function prepareFirstAccount(service: ChildService): Promise<string> {
  const [key] = await service.child.said(/svc_live_\w+/)
  const { data } = await service.operate<{ data: { id: string }[] }>('GET', '/accounts')
  const path = `/accounts/${data[0]?.id}`
  const credit = { kind: 'deposit', amount_eur: '1000.00', reference: 'for the test' }
  await service.operate('POST', `${path}/credits`, credit)
  await service.operate('PATCH', path, { min_tier: 3 })
  return key
}

function makeBody(sing: Sing, stream: boolean): Record<string, unknown> {
  const tool = { name: 'look', description: sing('description'), parameters: makeParameters(sing) }
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  call.function.arguments = JSON.stringify({ at: sing('argument') })
  return {
    stream,
    max_tokens: 200,
    messages: [
      { role: 'system', content: sing('system') },
      { role: 'user', content: sing('prompt') },
      { role: 'assistant', content: sing('earlier'), tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: sing('result') },
    ],
    tools: [{ type: 'function', function: tool }],
  }
}

function makeParameters(sing: Sing): object {
  return { type: 'object', properties: { at: { type: 'string', description: sing('parameter') } } }
}

function makeReply(sing: Sing): Reply {
  return {
    reasoning: `${sing('reasoning')} and more`,
    content: `${sing('content')} and ${sing('content')}`,
    toolCalls: [{ name: 'look', arguments: JSON.stringify({ at: sing('call') }) }],
  }
}

function makeFaults(sing: Sing): Fault[] {
  const error = () => ({
    error: { message: sing('error'), type: sing('type'), code: sing('code') },
  })
  const overflow = `maximum context length is 8192 tokens ${sing('overflow')}`
  return [
    ...[400, 401, 404, 422, 429, 500, 503].map((status) => {
      const headers = { 'x-upstream-says': sing('header') }
      return { kind: 'status' as const, status, body: error(), headers }
    }),
    { kind: 'status', status: 400, body: { error: { message: overflow } } },
    { kind: 'status', status: 200, body: error() },
    { kind: 'not-the-format', body: { choices: [{ message: sing('shape') }] } },
    { kind: 'not-the-format', body: [sing('shape')] },
    { kind: 'truncated-body' },
    { kind: 'html' },
    { kind: 'empty-body' },
    {
      kind: 'malformed-event',
      at: 'after-delta-2',
      data: `{"choices":[{"delta":"${sing('event')}`,
    },
    { kind: 'malformed-event', at: 'after-delta-1', data: sing('event') },
    { kind: 'malformed-event', at: 'after-delta-1', data: JSON.stringify(error()) },
    { kind: 'cut', at: 'after-delta-2' },
    { kind: 'reset', at: 'after-delta-2' },
    { kind: 'reset', at: 'before-head' },
    { kind: 'end', at: 'after-delta-2' },
  ]
}

/** Plays a good reply before each bad one, so that no circuit opens. */
async function playConversations(world: World): Promise<Set<number>> {
  const { upstream, sing } = world
  const statuses = new Set<number>()
  for (const stream of [false, true]) {
    for (const brand of ['prime', 'nova']) {
      for (const fault of makeFaults(sing)) {
        upstream.play(makeReply(sing))
        statuses.add(await post(world, brand, makeBody(sing, stream)))
        upstream.play({ ...makeReply(sing), fault: stream ? fault : forWhole(fault) })
        statuses.add(await post(world, brand, makeBody(sing, stream)))
      }
    }
  }
  return statuses
}

/** A whole reply has only its middle for all the points of a stream. */
function forWhole(fault: Fault): Fault {
  return fault.kind === 'end' ? { kind: 'truncated-body' } : fault
}

async function post({ service, key }: World, brand: string, body: unknown): Promise<number> {
  const response = await fetch(`${service.origin}/v1/chat/${brand}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await response.text()
  return response.status
}

async function leaveMidStream({ service, upstream, key, sing }: World): Promise<void> {
  const leaving = new AbortController()
  const count = upstream.requests.length
  upstream.play({ ...makeReply(sing), fault: { kind: 'hang', at: 'after-delta-2' } })
  const response = await fetch(`${service.origin}/v1/chat/nova`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(makeBody(sing, true)),
    signal: leaving.signal,
  })
  assert.equal(response.status, 200)
  leaving.abort()
  await (
    await upstream.request(count)
  ).aborted
}

async function sendInvalidRequests(world: World): Promise<void> {
  const { sing, service } = world
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const invalid: unknown[] = [
    `{"messages": [{"role": "user", "content": "${sing('broken')}`,
    sing('text'),
    JSON.stringify(sing('string')),
    { messages: sing('messages') },
    { messages: [sing('message')] },
    { messages: [{ role: sing('role'), content: sing('content') }] },
    user({ text: sing('object') }),
    { ...user(sing('valid')), max_tokens: sing('number') },
    { ...user(sing('valid')), tools: [{ type: 'function', function: { name: [sing('name')] } }] },
    { ...user(sing('valid')), tools: [{ type: sing('type') }] },
    { ...user(sing('valid')), [sing('field')]: sing('value'), temperature: 9 },
    { messages: [{ role: 'tool', tool_call_id: sing('id'), content: sing('orphan') }] },
    user(sing('long').repeat(200_000)),
  ]
  for (const body of invalid) assert.equal(await post(world, 'prime', body), 400)
  assert.equal(await post(world, 'air', { ...makeBody(sing, false) }), 400)
  assert.equal(await post(world, sing('brand'), user(sing('valid'))), 404)
  assert.equal(await post({ ...world, key: sing('key') }, 'prime', user(sing('stranger'))), 401)
  const headers = {
    'x-request-id': sing('id'),
    'user-agent': sing('agent'),
    cookie: sing('cookie'),
  }
  await fetch(`${service.origin}/v1/${sing('path')}?${sing('query')}`, { headers })
  await fetch(`${service.origin}/v1/models?q=${sing('query')}`, { method: 'DELETE', headers })
  await fetch(`${service.origin}/operator/v1/accounts`, {
    headers: { authorization: `Bearer ${sing('token')}` },
  })
  await sendRaw(service.port, `${sing('verb')} / HTTP/9.9\r\n${sing('header')}\r\n\r\n`)
  await sendRaw(
    service.port,
    `GET /%${sing('path')} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  )
}

/** What no HTTP client would send. */
async function sendRaw(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume().write(text)
  await once(socket, 'close')
}

/** The files and outputs that have any of the words, with the word. */
function searchEverything(
  service: ChildService,
  dataDir: string,
  words: readonly string[],
): string[] {
  const secrets = [...words, CHILD_OPERATOR_TOKEN, UPSTREAM_KEY]
  const { stdout, stderr } = service.child
  // The first start shows its key outside the log, which is JSON.
  const log = stdout.split('\n').filter((line) => line.startsWith('{'))
  const start = stdout.split('\n').filter((line) => !line.startsWith('{'))
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  assert.ok(files.some(({ name }) => name === 'parley.db'))
  const places: [name: string, text: string][] = [
    ['stdout', log.join('\n')],
    ['start', start.join('\n').replaceAll(/svc_live_\w+/g, '')],
    ['stderr', stderr],
    ...files.map((file): [string, string] => {
      const path = join(file.parentPath, file.name)
      return [file.name, readFileSync(path).toString('latin1')]
    }),
  ]
  return places.flatMap(([name, text]) =>
    secrets.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`),
  )
}
