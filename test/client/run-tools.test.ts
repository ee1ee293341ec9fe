import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, runTools } from 'parley-client'
import { openAccount } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

test('what nova thought before its calls is told it again, and after its answer no more', async (t) => {
  const { service } = await serveWithUpstream(t, [
    { reasoning: 'I have to look.', toolCalls: [{ name: 'look', arguments: '{}' }] },
    { reasoning: 'That is it.', content: 'It is sunny.' },
  ])
  const { key } = await openAccount(service, { depositEur: '20.00' })
  const client = createClient({ baseUrl: `${service.origin}/v1`, apiKey: key })
  const { messages } = await runTools(client, 'nova', {
    messages: [{ role: 'user', content: 'How is the weather?' }],
    tools: [{ function: { name: 'look' }, run: () => 'sunny' }],
  })
  const [, calling, , answering] = messages
  assert.partialDeepStrictEqual(calling, { reasoning_content: 'I have to look.' })
  assert.deepEqual(answering, { role: 'assistant', content: 'It is sunny.' })
})
