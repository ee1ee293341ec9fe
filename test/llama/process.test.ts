import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLlamaPool, createUpstream, LlamaRefused, modelsDirectory } from '#models/index.ts'
import { describeModel } from '../../src/models/catalogue.ts'
import { startChildService } from '../support/child-service.ts'
import { isAlive, listEngines } from '../support/llama/engine-processes.ts'
import {
  makeEngineHome,
  makeTinyUpstream,
  testWithEngine as test,
} from '../support/llama/test-with-engine.ts'
import { writeTinyModel } from '../support/llama/write-tiny-model.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const limits = { contextWindow: 2_048, maxOutputTokens: 1_024 }
const MODEL = { ...describeModel('svc', 'air', limits), takesReasoning: false }
const SILENT = { info() {}, error() {} }

async function untilGone(pids: readonly number[]): Promise<void> {
  const startMs = performance.now()
  while (pids.some(isAlive)) {
    assert.ok(performance.now() - startMs < 30_000, 'the engine outlives its service')
    await delay(50)
  }
}

test('a file in models/ answers from the next start on, in production too, and the lines say so', async (t) => {
  const dataDir = makeEngineHome(t)
  mkdirSync(modelsDirectory(dataDir))
  writeTinyModel(join(modelsDirectory(dataDir), 'tiny.gguf'))
  const service = await startChildService({ dataDir, env: { NODE_ENV: 'production' } })
  t.after(() => service.child.kill())
  const lines = service.child.stdout
  assert.match(lines, /Models {4}air: tiny · prime: tiny · nova: tiny/)
  assert.match(
    lines,
    /\(tiny\.gguf, 0\.4 MB: 4 at once, 2048 tokens each, at most [\d.]+ MB of memory\)/,
  )
  const { key } = await service.openAccount('anna')
  const response = await fetch(`${service.origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":[{"role":"user","content":"Hello!"}],"temperature":0,"max_tokens":3}',
  })
  const reply = (await response.json()) as { choices: { message: { content: string } }[] }
  assert.equal(reply.choices[0]?.message.content, 'abc')
  const engines = listEngines(service.child.process.pid)
  assert.equal(engines.length, 1, 'one for all three brands')
  await service.child.kill()
  await untilGone(engines)
})

test('an engine ends with the last upstream that uses it', async (t) => {
  const options = makeTinyUpstream(t)
  const pool = createLlamaPool(SILENT)
  const one = await createUpstream(options, MODEL, pool)
  const other = await createUpstream({ ...options, name: 'other' }, MODEL, pool)
  const engines = listEngines()
  assert.equal(engines.length, 1)
  await one.close()
  assert.ok(isAlive(engines[0] ?? 0))
  await other.close()
  await untilGone(engines)
})

test('so many may wait; the next is told at once that there is no place', async (t) => {
  const pool = createLlamaPool(SILENT)
  const upstream = await createUpstream(makeTinyUpstream(t, {}, { sequences: 1 }), MODEL, pool)
  t.after(() => upstream.close())
  const leaving = new AbortController()
  const prompt = { messages: [{ role: 'user', content: 'Hi' } as const], tools: [] }
  const request = { prompt, maxTokens: 1_000, temperature: 0, streamed: true }
  const first = await upstream.open(request, leaving.signal)
  assert.equal(first.kind, 'opened')
  const waiting = Array.from({ length: 64 }, () => upstream.open(request, leaving.signal))
  const refused = await upstream.open(request, leaving.signal)
  assert.deepEqual(refused, {
    kind: 'failed',
    failure: { kind: 'unavailable', reason: '64 requests wait already' },
  })
  leaving.abort()
  for (const opening of await Promise.all(waiting)) assert.equal(opening.kind, 'failed')
  const next = await upstream.open(request, new AbortController().signal)
  assert.equal(next.kind, 'opened', 'all of them have left')
})

test('more memory than the machine has is refused before anything is loaded', async (t) => {
  const settings = { contextTokens: 1_000_000_000, sequences: 64 }
  const options = makeTinyUpstream(t, { contextTokens: 1_000_000_000 }, settings)
  const refused = createUpstream(options, MODEL, createLlamaPool(SILENT))
  await assert.rejects(refused, (error: Error) => {
    assert.ok(error instanceof LlamaRefused)
    assert.match(error.message, /takes up to [\d.,]+ GB with 64 replies at once, of 1000000000 /)
    assert.match(error.message, /Set context_tokens or sequences lower, or take a smaller model\.$/)
    return true
  })
  await untilGone(listEngines())
})

test('without an engine a person is told how to install it', async (t) => {
  const options = { ...makeTinyUpstream(t), dataDir: makeTemporaryDirectory(t) }
  const refused = createUpstream(options, MODEL, createLlamaPool(SILENT))
  await assert.rejects(refused, /needs the package node-llama-cpp@.*npx parley model install/)
})
