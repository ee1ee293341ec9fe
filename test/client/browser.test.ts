import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openAccount } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { service, upstream } = await serveWithUpstream({ after })

/** A page of the service's own origin that has the client as it is published. */
async function openPage(page: Page, t: { after(remove: () => void): void }): Promise<void> {
  const built = makeTemporaryDirectory(t)
  const compile = ['-p', join(root, 'client/tsconfig.build.json'), '--outDir', built]
  execFileSync(join(root, 'node_modules/.bin/tsc'), compile)
  for (const name of globSync('*.js', { cwd: built })) {
    const body = readFileSync(join(built, name), 'utf8')
    await page.route(`**/try/${name}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
  }
  await page.route('**/try/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Try</title>' }),
  )
  await page.goto(`${service.origin}/try/`)
}

/** What the body of a function gives in the page, to which `parley` and `client` are given. */
async function runInPage(page: Page, key: string, body: string): Promise<unknown> {
  return page.evaluate(`import('/try/index.js').then(async (parley) => {
    const client = parley.createClient({ baseUrl: '/v1', apiKey: ${JSON.stringify(key)}, maxRetries: 0 })
    const hello = { messages: [{ role: 'user', content: 'Hello!' }] }
    ${body}
  })`)
}

testInBrowser('in a browser the client answers, streams and explains', {}, async (page, t) => {
  await openPage(page, t)
  const { key } = await openAccount(service)
  upstream.play({ deltas: ['Good ', 'morning, ', 'ção 😀'] })
  const whole = await runInPage(
    page,
    key,
    `const { choices, requestId, limits } = await client.chat('air', hello)
    return [choices[0].message.content, /^req_/.test(requestId), limits.requests.remaining]`,
  )
  assert.deepEqual(whole, ['Good morning, ção 😀', true, 9])
  const streamed = await runInPage(
    page,
    key,
    `const texts = []
    for await (const { choices } of await client.stream('air', hello)) {
      if (choices[0].delta.content) texts.push(choices[0].delta.content)
    }
    return texts.join('')`,
  )
  assert.equal(streamed, 'Good morning, ção 😀')
  const refused = await runInPage(
    page,
    key,
    `const error = await client.chat('air', { messages: [] }).catch((problem) => problem)
    return [error instanceof parley.InvalidRequestError, error.code, /^req_/.test(error.requestId)]`,
  )
  assert.deepEqual(refused, [true, 'invalid_request', true])
})

testInBrowser('in a browser leaving a stream ends it at the provider', {}, async (page, t) => {
  await openPage(page, t)
  const { key } = await openAccount(service)
  const asked = upstream.requests.length
  upstream.play({ content: 'on and on', fault: { kind: 'hang', at: 'after-delta-2' } })
  const text = await runInPage(
    page,
    key,
    `for await (const { choices } of await client.stream('air', hello)) {
      if (choices[0].delta.content) return choices[0].delta.content
    }`,
  )
  assert.equal(text, 'on ')
  await upstream.requests[asked]?.aborted
})

testInBrowser('in a browser a connection that is lost is told', {}, async (page, t) => {
  await openPage(page, t)
  await page.route('**/v1/chat/*', (route) => route.abort())
  const told = await runInPage(
    page,
    'k',
    `const error = await client.chat('air', hello).catch((problem) => problem)
    return [error instanceof parley.ConnectionError, error.message]`,
  )
  assert.deepEqual(told, [true, 'The service did not answer.'])
})
