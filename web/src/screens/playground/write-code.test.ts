import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { writeCode, type CodeRequest } from './write-code.ts'

const body = {
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
  stream: true,
  temperature: 0.5,
} as const
const request: CodeRequest = { baseUrl: 'https://api.example.com/v1', brand: 'nova', body }

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
  t.mock.method(globalThis, 'fetch', async (url: unknown, init: RequestInit) => {
    sent.push([url, init])
    return new Response('data: [DONE]\n\n')
  })
  const printed: unknown[] = []
  t.mock.method(process.stdout, 'write', (text: unknown) => printed.push(text) > 0)
  const source = encodeURIComponent(writeCode('typescript', request))
  await import(`data:text/javascript,${source}`)
  t.mock.restoreAll()
  const [[url, init] = []] = sent
  assert.equal(url, 'https://api.example.com/v1/chat/nova')
  assert.deepEqual(JSON.parse(init?.body as string), body)
  assert.ok(printed.includes('data: [DONE]\n\n'))
})

test('the Python has its own names for constants', () => {
  const code = writeCode('python', request)
  assert.match(code, /"nullable": True,\n +"strict": False,\n +"default": None,\n +"list": \[\],/)
  assert.match(code, /"Authorization": f"Bearer \{os\.environ\['PARLEY_API_KEY'\]\}"/)
  assert.ok(code.includes(JSON.stringify(body.messages[0].content)))
})
