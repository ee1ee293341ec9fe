import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  createClient,
  InsufficientBalanceError,
  InvalidKeyError,
  InvalidRequestError,
  LimitedError,
  runTools,
  type ChatCompletionChunk,
  type ClientOptions,
  type ReplyStream,
  type RunnableTool,
} from 'parley-client'
import { openAccount, openAccountWith, operate, type OpenedAccount } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

/** What somebody goes through who calls by the client, each from an account of their own. */
const { service, upstream } = await serveWithUpstream({ after })

const hello = { messages: [{ role: 'user' as const, content: 'Hello!' }] }

function clientOf({ key }: OpenedAccount, options: Omit<ClientOptions, 'baseUrl'> = {}) {
  return createClient({ baseUrl: `${service.origin}/v1`, apiKey: key, ...options })
}

async function receiptsOf({ accountId }: OpenedAccount) {
  return (await operate(service, 'GET', `/accounts/${accountId}/receipts`)).json.data
}

async function read(stream: ReplyStream): Promise<ChatCompletionChunk[]> {
  return Array.fromAsync(stream)
}

function join(chunks: ChatCompletionChunk[], field: 'content' | 'reasoning_content'): string {
  return chunks.map(({ choices: [choice] }) => choice?.delta[field] ?? '').join('')
}

test('whole and streamed, each model answers the same and leaves its receipt', async () => {
  const account = await openAccount(service, { depositEur: '20.00' })
  const client = clientOf(account)
  const requestIds: string[] = []
  for (const { endpoint } of await client.models()) {
    const brand = endpoint.replace('/v1/chat/', '') as 'air' | 'prime' | 'nova'
    upstream.play({ content: `This is ${brand}.` })
    const whole = await client.chat(brand, hello)
    assert.equal(whole.choices[0]?.message.content, `This is ${brand}.`)
    const stream = await client.stream(brand, hello)
    const chunks = await read(stream)
    assert.equal(join(chunks, 'content'), `This is ${brand}.`)
    assert.deepEqual(chunks.at(-1)?.usage, whole.usage)
    requestIds.push(whole.requestId, stream.requestId)
  }
  const receipts = await receiptsOf(account)
  assert.equal(requestIds.length, 6)
  assert.deepEqual(receipts.map(({ request_id: id }) => id).toReversed(), requestIds)
})

test('reasoning comes apart from the answer, in both forms', async () => {
  const client = clientOf(await openAccount(service))
  upstream.play({ reasoning: 'Two and two.', content: 'Four.' })
  const { choices } = await client.chat('nova', hello)
  assert.equal(choices[0]?.message.reasoning_content, 'Two and two.')
  const chunks = await read(await client.stream('nova', hello))
  assert.equal(join(chunks, 'reasoning_content'), 'Two and two.')
  assert.equal(join(chunks, 'content'), 'Four.')
})

test('tools are run until the model answers, and the conversation goes on from there', async () => {
  const client = clientOf(await openAccount(service, { depositEur: '20.00' }))
  const weather: RunnableTool = {
    function: { name: 'weather', parameters: { type: 'object' } },
    run: ({ city }) => `Sun in ${String(city)}`,
  }
  upstream.play([
    { toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Faro"}' }] },
    { content: 'Sunny.' },
    { content: 'You are welcome.' },
  ])
  const { reply, messages } = await runTools(client, 'prime', { ...hello, tools: [weather] })
  assert.equal(reply.choices[0]?.message.content, 'Sunny.')
  const more = { messages: [...messages, { role: 'user' as const, content: 'Thanks.' }] }
  const last = await client.chat('prime', more)
  assert.equal(last.choices[0]?.message.content, 'You are welcome.')
  const told = upstream.requests.at(-1)?.body.messages?.slice(1)
  assert.deepEqual(
    told?.map(({ role, content }) => [role, content]),
    [
      ['user', 'Hello!'],
      ['assistant', told?.[1]?.content],
      ['tool', 'Sun in Faro'],
      ['assistant', 'Sunny.'],
      ['user', 'Thanks.'],
    ],
  )
})

test('each refusal has its class, and its way out works', async () => {
  upstream.play({ content: 'Hello.' })
  const poor = await openAccountWith(service, '0.01')
  const client = clientOf(poor)
  await assert.rejects(client.chat('air', hello), InsufficientBalanceError)
  assert.ok(await client.chat('air', { ...hello, max_tokens: 50 }))
  await assert.rejects(client.chat('air', { ...hello, max_tokens: 0 }), InvalidRequestError)
  await operate(service, 'PATCH', `/accounts/${poor.accountId}`, { daily_ceiling_eur: '0.00' })
  const small = { ...hello, max_tokens: 50 }
  const ceiling = await client.chat('air', small).catch((error: unknown) => error)
  assert.ok(ceiling instanceof LimitedError)
  assert.equal(ceiling.code, 'daily_spend_limit_reached')
  await operate(service, 'DELETE', `/accounts/${poor.accountId}/keys/${poor.keyId}`)
  await assert.rejects(client.chat('air', small), InvalidKeyError)
})

test('a provider that fails once costs a moment and nothing else', async () => {
  const account = await openAccount(service)
  const waits: number[] = []
  const client = clientOf(account, { onRetry: (_error, waitMs) => waits.push(waitMs) })
  const asked = upstream.requests.length
  upstream.play([{ fault: { kind: 'status', status: 500 } }, { content: 'There.' }])
  const reply = await client.chat('air', hello)
  assert.equal(reply.choices[0]?.message.content, 'There.')
  assert.equal(upstream.requests.length - asked, 2)
  assert.equal(waits.length, 1)
  const [paid, free] = await receiptsOf(account)
  assert.deepEqual([paid?.request_id, free?.cost_eur], [reply.requestId, '0.00'])
})

test('a reply that is aborted ends at the provider, too', async () => {
  const account = await openAccount(service)
  const asked = upstream.requests.length
  upstream.play({ content: 'on and on', fault: { kind: 'hang', at: 'after-delta-2' } })
  const controller = new AbortController()
  const { signal } = controller
  const stream = await clientOf(account).stream('air', hello, { signal })
  const reading = async (): Promise<void> => {
    for await (const { choices } of stream) {
      if (choices[0]?.delta.content) controller.abort(new Error('enough'))
    }
  }
  await assert.rejects(reading, /enough/)
  await upstream.requests[asked]?.aborted
})
