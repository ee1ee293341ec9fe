import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { LOG_LEVELS } from '#platform/log.ts'
import { startChild } from '../support/child.ts'
import {
  CHILD_OPERATOR_TOKEN,
  findFreePort,
  startChildService,
  type ChildService,
} from '../support/child-service.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const UPSTREAM_KEY = 'key-of-an-upstream-that-nobody-sees'

interface Secrets {
  readonly key: string
  readonly revoked: string
}

/** Ways of sending a secret that are refused, or of which nothing comes, as bytes. */
function writeWrongly(secret: string): string[] {
  const request = (head: string, body = '') =>
    `${head}\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const chat = 'POST /v1/chat/air HTTP/1.1'
  const bearer = `Authorization: Bearer ${secret}`
  const type = 'Content-Type: application/json'
  const headers = [
    `Authorization: ${secret}`,
    `Authorization: Basic ${btoa(`operator:${secret}`)}`,
    `Authorization: Token ${secret}`,
    `Authorization: Bearer "${secret}"`,
    `Authorization: Bearer ${secret}x`,
    `Authorization: Bearer ${secret} ${secret}`,
    `Authorization: Bearer x\r\nAuthorization: Bearer ${secret}`,
    `X-Api-Key: ${secret}`,
    `Api-Key: ${secret}\r\nCookie: key=${secret}\r\nX-Request-Id: ${secret}`,
    `Proxy-Authorization: Bearer ${secret}\r\nUser-Agent: ${secret}\r\nReferer: ${secret}`,
  ]
  const addresses = [
    `/v1/models?api_key=${secret}`,
    `/v1/chat/${secret}`,
    `/${secret}`,
    `/v1/models/${secret}/%zz`,
    `/%ff${secret}`,
    `http://${secret}@x/v1/models`,
    `/operator/v1/accounts/${secret}`,
    `/operator/v1/audit?cursor=${secret}&limit=${secret}`,
  ]
  const bodies = [
    secret,
    `{"messages":"${secret}"}`,
    `{"${secret}":1}`,
    `{"messages":[{"role":"${secret}","content":"x"}]}`,
    `{"messages":[{"role":"user","content":"${secret}`,
  ]
  return [
    ...headers.map((lines) => request(`${chat}\r\n${lines}`)),
    ...addresses.flatMap((address) => [
      request(`GET ${address} HTTP/1.1`),
      request(`POST ${address} HTTP/1.1\r\n${bearer}\r\n${type}`, '{}'),
      request(`${secret.slice(0, 9)} ${address} HTTP/1.1`),
    ]),
    ...bodies.flatMap((body) => [
      request(`${chat}\r\n${bearer}\r\n${type}`, body),
      request(`POST /operator/v1/accounts HTTP/1.1\r\n${bearer}\r\n${type}`, body),
      request(`${chat}\r\n${bearer}\r\nContent-Type: ${secret}`, body),
    ]),
    `${secret}\r\n\r\n`,
    `GET ${secret}\r\n\r\n`,
    `GET / ${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${secret}: \u0000\r\n\r\n`,
    `GET / HTTP/1.1\r\n${bearer}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\n${bearer}${'x'.repeat(20_000)}\r\n\r\n`,
    `${chat}\r\nHost: x\r\n${bearer}\r\nTransfer-Encoding: chunked\r\n\r\n${secret}\r\n`,
    `${chat}\r\nHost: x\r\n${bearer}\r\nContent-Length: ${secret}\r\n\r\n`,
  ]
}

/** Sends bytes, hangs up when nothing more comes, and returns what was answered. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {}).on('data', (bytes) => (received += String(bytes)))
  socket.end(text, 'latin1')
  await once(socket, 'close')
  return received
}

async function prepareKeys(service: ChildService): Promise<Secrets> {
  const { key } = await service.openAccount('one')
  const { accountId, key: revoked } = await service.openAccount('two')
  const path = `/accounts/${accountId}`
  const { data } = await service.operate<{ data: { id: string }[] }>('GET', `${path}/keys`)
  const headers = { authorization: `Bearer ${CHILD_OPERATOR_TOKEN}` }
  const address = `${service.origin}/operator/v1${path}/keys/${data[0]?.id}`
  assert.equal((await fetch(address, { method: 'DELETE', headers })).status, 204)
  return { key, revoked }
}

async function serve(t: TestContext, level: string): Promise<ChildService> {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play({ fault: { kind: 'status', status: 401, body: { error: UPSTREAM_KEY } } })
  const service = await startChildService({
    dataDir: makeTemporaryDirectory(t),
    upstreamUrl: upstream.url,
    env: { LOG_LEVEL: level, PARLEY_UPSTREAM_KEY: UPSTREAM_KEY },
  })
  t.after(() => service.child.kill())
  return service
}

for (const level of LOG_LEVELS.filter((one) => one !== 'silent')) {
  test(`at the level ${level}, no refusal tells a secret to the log or to who sent it`, async (t) => {
    const service = await serve(t, level)
    const { key, revoked } = await prepareKeys(service)
    const secrets = [key, revoked, CHILD_OPERATOR_TOKEN, UPSTREAM_KEY]
    const answers: string[] = []
    for (const secret of [key, revoked, CHILD_OPERATOR_TOKEN]) {
      for (const text of writeWrongly(secret)) answers.push(await send(service.port, text))
    }
    const upstreamed = { messages: [{ role: 'user', content: 'x' }] }
    const response = await fetch(`${service.origin}/v1/chat/air`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(upstreamed),
    })
    assert.equal(response.status, 502)
    answers.push(await response.text())
    service.child.process.kill('SIGTERM')
    assert.equal(await service.child.ended, 0)

    const [, afterStart = ''] = service.child.stdout.split('Parley is ready')
    assert.deepEqual(findSecrets(`${afterStart}\n${service.child.stderr}`, secrets), [])
    if (level !== 'error') assert.match(afterStart, /"request_id":"req_/)
    assertRefusals(answers, secrets)
  })
}

/** Most must have been answered, and as refusals, or nothing has been shown. */
function assertRefusals(answers: readonly string[], secrets: readonly string[]): void {
  const refused = answers.filter((answer) => /^HTTP\/1\.1 4\d\d /.test(answer))
  assert.ok(refused.length > 100, `${refused.length} of ${answers.length} were refused`)
  for (const answer of answers) {
    // An operator is told which member nobody knows, by the name that they gave it.
    const told = answer.replace(/"message":"\S+: is unknown/, '')
    assert.deepEqual(findSecrets(told, secrets), [], answer)
  }
}

/** Whole, or a piece of it long enough to be of use. */
function findSecrets(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret.slice(9, 29)))
}

test('a start that fails tells the name of what is wrong, and none of the secrets', async (t) => {
  const env = {
    PORT: `${await findFreePort()}`,
    PARLEY_DATA_DIR: makeTemporaryDirectory(t),
    PARLEY_UPSTREAM_URL: `ftp://user:${UPSTREAM_KEY}@host/v1`,
    PARLEY_UPSTREAM_KEY: UPSTREAM_KEY,
    PARLEY_OPERATOR_TOKEN: `${CHILD_OPERATOR_TOKEN} with a space`,
    LOG_LEVEL: 'trace',
  }
  const child = startChild('src/main.ts', [], { cwd: env.PARLEY_DATA_DIR, env })
  assert.equal(await child.ended, 1)
  for (const name of ['PARLEY_UPSTREAM_URL', 'PARLEY_OPERATOR_TOKEN', 'LOG_LEVEL']) {
    assert.match(child.stderr, new RegExp(`${name}: `))
  }
  const secrets = [UPSTREAM_KEY, CHILD_OPERATOR_TOKEN]
  assert.deepEqual(findSecrets(child.stdout + child.stderr, secrets), [])
})
