import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chat, hello, openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { exchange } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'

const service = await serveFor({ after })
const { key } = await openAccount(service)

/** Host, Authorization, Content-Type and Content-Length. */
const OWN_HEADERS = 4

function withHeaders(lines: string): string {
  return writeRequest({ key }).replace('Content-Type', `${lines}Content-Type`)
}

function manyHeaders(count: number): string {
  return Array.from({ length: count - OWN_HEADERS }, (_, index) => `x${index}: y\r\n`).join('')
}

test('200 headers are read, and one more is refused', async () => {
  const [taken] = await exchange(service, [withHeaders(manyHeaders(200))], { answers: 1 })
  assert.equal(taken?.status, 200, taken?.text)
  for (const count of [201, 400, 2_500]) {
    const answers = await exchange(service, [withHeaders(manyHeaders(count))])
    assert.equal(answers.length, 1)
    // What is far beyond, Node refuses before we see it.
    assert.ok([400, 431].includes(answers[0]!.status), `${count} headers`)
    const { code, message } = answers[0]!.json.error
    assert.equal(code, 'invalid_request')
    assert.match(message, /^body: (the request has too many headers|the head .* is too large)$/)
  }
})

test('a head of up to 16 KiB is read, and a larger one is 431 in the common error body', async () => {
  const padding = (sizeBytes: number) => `x-padding: ${'x'.repeat(sizeBytes)}\r\n`
  const [taken] = await exchange(service, [withHeaders(padding(15 * 1024))], { answers: 1 })
  assert.equal(taken?.status, 200, taken?.text)
  const tooLarge = [
    withHeaders(padding(17 * 1024)),
    withHeaders(`${'x'.repeat(17 * 1024)}: y\r\n`),
    writeRequest({ key, target: `/v1/chat/${'x'.repeat(17 * 1024)}` }),
  ]
  for (const text of tooLarge) {
    const [answer, ...others] = await exchange(service, [text])
    assert.equal(answer?.status, 431)
    assert.equal(answer.json.error.code, 'invalid_request')
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
    assert.deepEqual(others, [])
  }
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
})
