import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent, fetch, type Response } from 'undici'
import { formatEuros } from '#platform/money.ts'
import type { Account, ModelState, Receipt } from '#api/contract/index.ts'
import type { Brand, CircuitOptions, UpstreamOptions } from '#models/index.ts'
import type { Chunk } from '../support/body.ts'
import { call, openAccount, operate, type Answer } from '../support/call.ts'
import {
  startFakeUpstream,
  type Dialect,
  type FakeUpstream,
} from '../support/fake-upstream/index.ts'
import { startService, type Service, type ServiceOptions } from '../support/service.ts'

/** The real service before fake upstreams, and one account of the highest tier that calls it. */
export interface Scene {
  readonly service: Service
  /** In the order in which the service tries them. */
  readonly upstreams: readonly FakeUpstream[]
  readonly key: string
  readonly accountId: string
  /** The first upstream, for scenes with one. */
  readonly upstream: FakeUpstream
  ask(body?: Body, brand?: Brand): Promise<Answer>
  /** The same, streamed. */
  stream(body?: Body, brand?: Brand): Promise<Answer>
  /** The same, but read by the test itself, or left. */
  open(body?: Body, brand?: Brand): OpenCall
  /** Newest first. */
  receipts(): Promise<readonly Receipt[]>
  /** Waits until there are so many, for charges that no reply tells of. */
  awaitReceipts(count: number): Promise<readonly Receipt[]>
  account(): Promise<Account>
  health(brand?: Brand): Promise<ModelState>
  /** What the ledger finds when it adds everything up. */
  verify(): Promise<Answer>
}

export type Body = Readonly<Record<string, unknown>>

export interface OpenCall {
  readonly response: Promise<Response>
  /** Closes the connection. */
  leave(): void
}

export interface SceneOptions extends Omit<ServiceOptions, 'upstreams'> {
  readonly upstreamCount?: number
  /** Settings of every upstream. */
  readonly settings?: Partial<OpenaiOptions>
  /** Upstreams tried before the fake ones. */
  readonly first?: readonly UpstreamOptions[]
}

type OpenaiOptions = UpstreamOptions & { kind: 'openai' }

/** A circuit that never opens, for tests that fail an upstream again and again. */
export const neverOpens: CircuitOptions = {
  failures: 1_000_000,
  windowMs: 1_000,
  coolDownMs: 1_000,
}

export const sayHello = { messages: [{ role: 'user', content: 'Hello!' }] }

export async function setScene(t: TestContext, options: SceneOptions = {}): Promise<Scene> {
  const { upstreamCount = 1, settings = {}, first = [], ...rest } = options
  const upstreams: FakeUpstream[] = []
  const services: Service[] = []
  t.after(async () => {
    for (const started of services) await started.close()
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  })
  for (let count = 0; count < upstreamCount; count += 1) upstreams.push(await startFakeUpstream())
  const configured = upstreams.map(({ url }, index) =>
    describeUpstream(`fake-${index + 1}`, url, settings),
  )
  const service = await startService({ ...rest, upstreams: [...first, ...configured] })
  services.push(service)
  const { key, accountId } = await openAccount(service, { depositEur: '1000.00' })
  return createScene(service, upstreams, key, accountId)
}

export function describeUpstream(
  name: string,
  url: string,
  settings: Partial<OpenaiOptions> = {},
): OpenaiOptions {
  return { kind: 'openai', name, url, model: 'fake-model', apiKey: undefined, ...settings }
}

function createScene(
  service: Service,
  upstreams: readonly FakeUpstream[],
  key: string,
  accountId: string,
): Scene {
  const ask = (body: Body = {}, brand: Brand = 'prime'): Promise<Answer> =>
    call(service, 'POST', `/v1/chat/${brand}`, { key, body: { ...sayHello, ...body } })
  const receipts = async (): Promise<readonly Receipt[]> =>
    (await operate(service, 'GET', `/accounts/${accountId}/receipts?limit=200`)).json.data
  return {
    service,
    upstreams,
    key,
    accountId,
    upstream: upstreams[0] as FakeUpstream,
    ask,
    stream: (body = {}, brand = 'prime') => ask({ ...body, stream: true }, brand),
    open: (body = {}, brand = 'prime') => openCall(service, key, body, brand),
    receipts,
    awaitReceipts: (count) => awaitValue(receipts, (found) => found.length >= count),
    account: async () => (await operate(service, 'GET', `/accounts/${accountId}`)).json,
    async health(brand = 'prime') {
      const { json } = await operate(service, 'GET', '/models')
      const found = json.data.find((state) => state.brand === brand)
      assert.ok(found)
      return found
    },
    verify: () => operate(service, 'GET', '/ledger/verify'),
  }
}

function openCall(service: Service, key: string, body: Body, brand: Brand): OpenCall {
  const client = new AbortController()
  // Its own connection: a pool would open another for the one that is broken off.
  const dispatcher = new Agent({ connections: 1 })
  const response = fetch(`${service.origin}/v1/chat/${brand}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...sayHello, ...body }),
    signal: client.signal,
    dispatcher,
  })
  response.catch(() => {})
  const leave = (): void => {
    client.abort()
    void dispatcher.destroy()
  }
  return { response, leave }
}

/** Asks again until the answer is right, for what no event tells of; fails after ten seconds. */
export async function awaitValue<Value>(
  read: () => Value | Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  const deadlineMs = performance.now() + 10_000
  for (;;) {
    const value = await read()
    if (isRight(value)) return value
    assert.ok(performance.now() < deadlineMs, 'what was waited for never came')
    await nextTurn()
  }
}

/** Fails where a promise is not kept in time. */
export async function within<Value>(
  limitMs: number,
  promise: Promise<Value>,
  what: string,
): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`${what}: not within ${limitMs} ms`)),
    limitMs,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads on until the text has the words; returns all that was read. */
export async function readUntil(reader: StreamReader, words: string): Promise<string> {
  let text = ''
  while (!text.includes(words)) {
    const { value, done } = await reader.read()
    assert.ok(!done, `the stream ended before ${JSON.stringify(words)}: ${text}`)
    text += new TextDecoder().decode(value)
  }
  return text
}

export type StreamReader = ReadableStreamDefaultReader<Uint8Array>

export async function readerOf({ response }: OpenCall): Promise<StreamReader> {
  const { body } = await response
  assert.ok(body)
  return body.getReader() as StreamReader
}

/** The rest of a stream. */
export async function readRest(reader: StreamReader): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
}

/** What so many tokens cost on prime. */
export function priceOfPrime(promptTokens: number, completionTokens: number): string {
  return formatEuros((promptTokens * 1_800 + completionTokens * 6_200) as never)
}

export function contentOf(events: readonly Chunk[]): string {
  return events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
}

/** Every dialect that the fake upstream speaks. */
export const dialects: readonly Dialect[] = [
  'openai',
  'vllm',
  'vllm-0.16',
  'vllm-old',
  'sglang',
  'llama.cpp',
  'ollama',
  'deepseek',
  'openrouter',
]
