import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { migrate, openSqliteStore } from '#platform/store/index.ts'
import {
  createModels,
  DEFAULT_LIMITS,
  modelMigrations,
  type Brand,
  type CircuitOptions,
  type Models,
  type ReplyEvent,
  type UpstreamFailure,
  type UpstreamOptions,
  type UpstreamRequest,
} from '#models/index.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** The room of the models alone, for what is tried a thousand times. */
export async function openModels(
  t: TestContext,
  upstreams: readonly UpstreamOptions[],
  { circuit, clock = createManualClock() }: { circuit?: CircuitOptions; clock?: ManualClock } = {},
): Promise<Models> {
  const store = await openSqliteStore(makeTemporaryDirectory(t))
  await migrate(store, [modelMigrations])
  const offer = (brand: Brand) => ({ ...DEFAULT_LIMITS[brand], upstreams })
  const models = await createModels({
    serviceName: 'svc',
    brands: { air: offer('air'), prime: offer('prime'), nova: offer('nova') },
    ...(circuit && { circuit }),
    store,
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  t.after(async () => {
    await models.close()
    await store.close()
  })
  return models
}

export const greeting: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hello!' }], tools: [] },
  maxTokens: 4_000,
  temperature: undefined,
  streamed: true,
}

export interface ReadReply {
  readonly events: readonly ReplyEvent[]
  readonly failure: UpstreamFailure | undefined
}

/** Opens a reply and reads it to its end. */
export async function readReply(models: Models, request = greeting): Promise<ReadReply> {
  const routing = await models.open('prime', request, new AbortController().signal)
  assert.equal(routing.kind, 'opened', JSON.stringify(routing))
  const { promise, resolve } = Promise.withResolvers<ReadReply>()
  const events: ReplyEvent[] = []
  if (routing.kind !== 'opened') throw new Error('no reply')
  routing.reply.read({
    onEvent: (event) => void events.push(event),
    onEnd: (failure) => resolve({ events, failure }),
  })
  return promise
}

export function joinTexts(events: readonly ReplyEvent[], kind: 'content' | 'reasoning'): string {
  return events.map((event) => (event.kind === kind ? event.text : '')).join('')
}
