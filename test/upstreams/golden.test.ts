import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Body } from '../support/body.ts'
import type { Dialect, Reply } from '../support/fake-upstream/index.ts'
import { dialects, setScene, type Scene } from './scene.ts'

/*
 * What a caller gets is the same whichever server is behind it, so one file a case holds for all
 * dialects. `UPDATE_GOLDEN=1 node --test test/upstreams/golden.test.ts` writes the files anew, from
 * the first dialect; read what has changed before you keep it.
 */
const cases: Readonly<Record<string, Reply>> = {
  text: { content: 'Grüße aus "Köln" — 👋🏽 and\na second line.' },
  reasoning: { reasoning: 'First I think it over. ', content: 'Then I answer.' },
  'one-tool-call': {
    toolCalls: [{ name: 'get_weather', arguments: '{"city":"São Paulo","days":3}' }],
    usage: { promptTokens: 40, completionTokens: 17 },
  },
  'three-tool-calls': {
    content: 'Let me look. ',
    toolCalls: [
      { name: 'get_weather', arguments: '{"city":"Lisboa"}' },
      { name: 'get_weather', arguments: '{"city":"Porto","unit":"celsius"}' },
      { name: 'list_all', arguments: '' },
    ],
    toolCallShape: 'interleaved',
    usage: { promptTokens: 60, completionTokens: 42 },
  },
  length: { content: 'One two three', finish: 'length' },
  'usage-after-finish': {
    content: 'Counted.',
    usage: { promptTokens: 321, completionTokens: 45, reasoningTokens: 40, cachedTokens: 300 },
  },
}

const tools = ['get_weather', 'list_all'].map((name) => ({
  type: 'function',
  function: { name, description: 'Something to call.' },
}))

/** Few enough that the upstream is asked for a whole reply where the caller is. */
const few = { max_tokens: 200 }

for (const [name, reply] of Object.entries(cases)) {
  test(`every dialect gives the golden transcript of ${name}`, async (t) => {
    const scene = await setScene(t)
    for (const dialect of dialects) {
      scene.upstream.play(speak(reply, dialect))
      for (const brand of ['prime', 'nova'] as const) {
        const streamed = await scene.stream({ tools }, brand)
        compare(`${name}.${brand}.sse`, normaliseEvents(streamed.text), dialect)
        const whole = await scene.ask({ tools, ...few }, brand)
        compare(`${name}.${brand}.json`, pretty(whole.json), dialect)
      }
    }
  })
}

test('a caller who wants it whole gets the same from an upstream that is asked for a stream', async (t) => {
  const scene = await setScene(t)
  for (const [name, reply] of Object.entries(cases)) {
    for (const dialect of dialects) {
      scene.upstream.play(speak(reply, dialect))
      const whole = await scene.ask({ tools }, 'nova')
      assert.equal(scene.upstream.requests.at(-1)?.body.stream, true)
      compare(`${name}.nova.json`, pretty(whole.json), dialect)
    }
  }
})

test('the ids that a server gives its calls are kept, and missing ones are made up', async (t) => {
  const scene = await setScene(t)
  const given: Partial<Record<Dialect, readonly (string | undefined)[]>> = {
    openai: ['call_1', 'call_2', 'call_3'],
    vllm: ['chatcmpl-tool-1', 'chatcmpl-tool-2', 'chatcmpl-tool-3'],
    sglang: ['call_1', undefined, undefined],
    ollama: [undefined, undefined, undefined],
  }
  const reply = cases['three-tool-calls'] as Reply
  for (const [dialect, wanted] of Object.entries(given)) {
    scene.upstream.play(speak(reply, dialect as Dialect))
    for (const ids of [await readWholeIds(scene), await readStreamedIds(scene)]) {
      assert.equal(new Set(ids).size, 3, `${dialect}: ${ids.join()}`)
      for (const [index, id] of ids.entries()) {
        const expected = wanted[index]
        if (expected === undefined) assert.match(id, /^call_\w{8,}$/)
        else assert.equal(id, expected)
      }
    }
  }
})

/** Ollama sends each call whole and all under one index: interleaved, they could not be told apart. */
function speak(reply: Reply, dialect: Dialect): Reply {
  const { toolCallShape, ...rest } = reply
  const shape = dialect === 'ollama' ? undefined : toolCallShape
  return { ...rest, dialect, ...(shape && { toolCallShape: shape }) }
}

async function readWholeIds(scene: Scene): Promise<readonly string[]> {
  const { json } = await scene.ask({ tools, ...few })
  return json.choices[0].message.tool_calls?.map(({ id }) => id) ?? []
}

async function readStreamedIds(scene: Scene): Promise<readonly string[]> {
  const { text } = await scene.stream({ tools })
  return [...text.matchAll(/"tool_calls":\[\{"index":\d,"id":"([^"]+)"/g)].map(([, id]) => id ?? '')
}

/** Takes out what differs from request to request; the rest is held to the byte. */
function normaliseEvents(text: string): string {
  return text
    .replaceAll(/"id":"chatcmpl-[^"]+","object"/g, '"id":"chatcmpl-<id>","object"')
    .replaceAll(/"created":\d+/g, '"created":0')
    .replaceAll(/"id":"[^"]+","type":"function"/g, '"id":"<call id>","type":"function"')
}

/** The same for a whole reply. In which order an object has its keys means nothing. */
function pretty(body: Body): string {
  const [choice] = body.choices
  const calls = choice.message.tool_calls?.map((call) => ({ ...call, id: '<call id>' }))
  const message = { ...choice.message, ...(calls && { tool_calls: calls }) }
  const id = body.id.replace(/(?<=^chatcmpl-).+/, '<id>')
  const normal = { ...body, id, created: 0, choices: [{ ...choice, message }] }
  return `${JSON.stringify(sortKeys(normal), null, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)]))
}

function compare(file: string, actual: string, dialect: Dialect): void {
  const url = new URL(`../golden/${file}`, import.meta.url)
  if (process.env['UPDATE_GOLDEN'] === '1' && dialect === dialects[0]) writeFileSync(url, actual)
  assert.equal(actual, readFileSync(url, 'utf8'), `${dialect}: ${file}`)
}
