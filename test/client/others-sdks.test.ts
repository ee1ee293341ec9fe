import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, RetryError } from 'ai'
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

/** What docs/clients.md says in its tables of SDKs that others have written. */

const service = await serveFor({ after })
const { key } = await openAccount(service, { min_tier: 3 })
const baseURL = `${service.origin}/v1`

/** As the guide has it. */
const toBrand: typeof fetch = (input, init) => {
  const url = input instanceof Request ? input.url : input.toString()
  if (!url.endsWith('/chat/completions')) return fetch(input, init)
  const { model } = JSON.parse(init?.body as string) as { model: string }
  return fetch(url.replace(/completions$/, model), init)
}

const openai = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, fetch: toBrand })
const hello: ChatCompletionCreateParamsNonStreaming = {
  model: 'air',
  messages: [{ role: 'user', content: 'Hello!' }],
}
const tool = { type: 'function' as const, function: { name: 'weather', parameters: {} } }

for (const [what, more] of [
  ['max_completion_tokens', { max_completion_tokens: 1 }],
  ['n', { n: 3 }],
  ['tool_choice', { model: 'prime', tools: [tool], tool_choice: 'required' }],
  ['parallel_tool_calls', { parallel_tool_calls: false }],
  [
    'strict',
    { model: 'prime', tools: [{ ...tool, function: { ...tool.function, strict: true } }] },
  ],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['top_p and its like', { top_p: 0.1, stop: ['simulated'], seed: 1, presence_penalty: 1 }],
  ['logprobs', { logprobs: true, reasoning_effort: 'low' }],
  ['what is kept elsewhere', { user: 'ana', store: true, metadata: { a: 'b' } }],
  ['a name', { messages: [{ role: 'user', content: 'Hello!', name: 'ana' }] }],
] as const) {
  test(`ignored: ${what}`, async () => {
    const { choices } = await openai.chat.completions.create({
      ...hello,
      ...(more as unknown as Partial<ChatCompletionCreateParamsNonStreaming>),
    })
    assert.equal(choices.length, 1)
    assert.equal(choices[0]?.finish_reason, 'stop')
    assert.match(choices[0].message.content ?? '', /simulated model .* parley\.yaml\.$/)
  })
}

test('a stream ends with its usage, whatever its options say', async () => {
  for (const options of [{}, { stream_options: { include_usage: false } }]) {
    const request = { ...hello, ...options, stream: true as const }
    const chunks = await Array.fromAsync(await openai.chat.completions.create(request))
    assert.ok((chunks.at(-1)?.usage?.total_tokens ?? 0) > 0)
  }
})

for (const [what, more, code, message] of [
  [
    'text in parts',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello!' }] }] },
    'invalid_request',
    /messages\[0\]\.content: must be a string/,
  ],
  [
    'a picture',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }],
        },
      ],
    },
    'invalid_request',
    /messages\[0\]\.content: must be a string/,
  ],
  [
    'the role developer',
    { messages: [{ role: 'developer', content: 'Be brief.' }, ...hello.messages] },
    'invalid_request',
    /messages\[0\]\.role: must be one of/,
  ],
  [
    'a tool of another type',
    { model: 'prime', tools: [{ type: 'custom', custom: { name: 'x' } }] },
    'invalid_request',
    /tools\[0\]\.type: must be "function"/,
  ],
  ['tools to air', { tools: [tool] }, 'tools_unsupported', /use prime or nova/],
] as const) {
  test(`refused: ${what}`, async () => {
    const request = {
      ...hello,
      ...(more as unknown as Partial<ChatCompletionCreateParamsNonStreaming>),
    }
    await assert.rejects(openai.chat.completions.create(request), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  })
}

for (const [what, call, code] of [
  [
    'a model id',
    () => openai.chat.completions.create({ ...hello, model: 'svc-air-v1' }),
    'unknown_model',
  ],
  [
    'the responses API',
    () => openai.responses.create({ model: 'air', input: 'Hello!' }),
    'not_found',
  ],
  ['embeddings', () => openai.embeddings.create({ model: 'air', input: 'Hello!' }), 'not_found'],
] as const) {
  test(`not found: ${what}`, async () => {
    await assert.rejects(call, (error) => error instanceof NotFoundError && error.code === code)
  })
}

test('the model list is that of the service', async () => {
  const { data } = await openai.models.list()
  assert.deepEqual(
    data.map(({ id }) => id),
    ['svc-air-v1', 'svc-prime-v1', 'svc-nova-v1'],
  )
})

test('a key that is wrong is an AuthenticationError with the id of its request', async () => {
  const wrong = new OpenAI({ baseURL, apiKey: 'svc_live_wrong', maxRetries: 0, fetch: toBrand })
  await assert.rejects(wrong.chat.completions.create(hello), (error) => {
    assert.ok(error instanceof AuthenticationError)
    assert.equal(error.code, 'invalid_api_key')
    assert.match(error.requestID ?? '', /^req_/)
    return true
  })
})

for (const [status, code, type, tries] of [
  [402, 'insufficient_balance', APIError, 1],
  [429, 'rate_limit_rpm', RateLimitError, 3],
  [500, 'internal_error', InternalServerError, 3],
  [502, 'upstream_error', InternalServerError, 3],
  [503, 'model_unavailable', InternalServerError, 3],
] as const) {
  const headers = { 'x-request-id': 'req_1', 'retry-after-ms': '1' }
  let calls = 0
  const refuse = async (): Promise<Response> => {
    calls += 1
    return Response.json({ error: { code, message: 'No.' } }, { status, headers })
  }

  test(`${status} is a ${type.name} of openai, after ${tries} tries`, async () => {
    calls = 0
    const client = new OpenAI({ baseURL, apiKey: key, fetch: refuse })
    await assert.rejects(client.chat.completions.create(hello), (error) => {
      assert.ok(error instanceof type)
      assert.deepEqual([error.status, error.code, error.requestID], [status, code, 'req_1'])
      return true
    })
    assert.equal(calls, tries)
  })

  test(`${status} is of the AI SDK's after ${tries} tries, with code and request id`, async () => {
    calls = 0
    const parley = createOpenAICompatible({ name: 'parley', baseURL, apiKey: key, fetch: refuse })
    await assert.rejects(generateText({ model: parley('air'), prompt: 'Hello!' }), (error) => {
      assert.equal(RetryError.isInstance(error), tries > 1)
      const last = RetryError.isInstance(error) ? error.lastError : error
      assert.ok(APICallError.isInstance(last))
      assert.equal((last.data as { error: { code: string } }).error.code, code)
      assert.equal(last.responseHeaders?.['x-request-id'], 'req_1')
      return true
    })
    assert.equal(calls, tries)
  })
}

test('the AI SDK joins what is one part, and sends several as they are', async () => {
  const parley = createOpenAICompatible({ name: 'parley', baseURL, apiKey: key, fetch: toBrand })
  const ask = (...words: string[]) =>
    generateText({
      model: parley('air'),
      messages: [{ role: 'user', content: words.map((text) => ({ type: 'text', text })) }],
    })
  assert.match((await ask('Hello!')).text, /simulated/)
  await assert.rejects(ask('Hello', 'there!'), /messages\[0\]\.content: must be a string/)
})
