import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { ChatRequest } from 'parley-client'
import { writeProgram } from '../../../../test/support/write-program.ts'
import { writeCode, type CodeRequest } from './write-code.ts'

const asked: ChatRequest = {
  messages: [{ role: 'user', content: 'It\'s "quoted" $HOME `id` \\ \n ção 😀' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'a',
        parameters: { nullable: true, strict: false, default: null, list: [] },
      },
    },
  ],
  temperature: 0.5,
}
const request: CodeRequest = {
  baseUrl: 'https://api.example.com/v1',
  brand: 'nova',
  request: asked,
}
const body = { ...asked, stream: true }

test('a shell sends exactly the request, with the key of its environment', () => {
  const seen = execFileSync(
    'sh',
    ['-c', `curl() { printf '%s\\0' "$@"; }\n${writeCode('curl', request)}`],
    {
      env: { PARLEY_API_KEY: 'svc_live_x' },
      encoding: 'utf8',
    },
  )
  const given = seen.split('\0')
  assert.deepEqual(given.slice(0, 3), ['-N', 'https://api.example.com/v1/chat/nova', '-H'])
  assert.equal(given[3], 'Authorization: Bearer svc_live_x')
  assert.deepEqual(JSON.parse(given[7] ?? ''), body)
})

test('the TypeScript sends exactly the request, and prints what comes', async (t) => {
  const sent: [unknown, RequestInit][] = []
  const call = { index: 0, id: 'call_1', function: { name: 'a', arguments: '{}' } }
  const deltas = [{ content: 'It is ' }, { content: 'this.' }, { tool_calls: [call] }]
  const events = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
  t.mock.method(globalThis, 'fetch', async (url: unknown, init: RequestInit) => {
    sent.push([url, init])
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(`${events.join('')}data: [DONE]\n\n`, { headers })
  })
  const printed: unknown[] = []
  t.mock.method(process.stdout, 'write', (text: unknown) => printed.push(text) > 0)
  t.mock.method(console, 'log', (...told: unknown[]) => printed.push(...told))
  await import(writeProgram(t, 'shown.mts', writeCode('typescript', request)))
  t.mock.restoreAll()
  const [[url, init] = []] = sent
  assert.equal(url, 'https://api.example.com/v1/chat/nova')
  assert.deepEqual(JSON.parse(init?.body as string), body)
  const text = printed.filter((one) => typeof one === 'string').join('')
  assert.ok(text.includes('It is this.call_1'), text)
  assert.deepEqual(printed.at(-1), call.function)
})

test('the Python has its own names for constants', () => {
  const code = writeCode('python', request)
  assert.match(code, /"nullable": True,\n +"strict": False,\n +"default": None,\n +"list": \[\],/)
  assert.match(code, /"Authorization": f"Bearer \{os\.environ\['PARLEY_API_KEY'\]\}"/)
  assert.ok(code.includes(JSON.stringify(asked.messages[0]?.content)))
})
