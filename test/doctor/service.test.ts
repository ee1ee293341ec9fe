import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test, type TestContext } from 'node:test'
import { checkBooks } from '../../src/doctor/checks/check-books.ts'
import { checkService } from '../../src/doctor/checks/check-service.ts'
import { checkStreaming } from '../../src/doctor/checks/check-streaming.ts'
import { findService } from '../../src/doctor/find-service.ts'
import type { Patient } from '../../src/doctor/patient.ts'
import { runCommand, type Ran } from '../cli/run-command.ts'
import { NO_FILE } from '../support/config-files.ts'
import {
  CHILD_OPERATOR_TOKEN,
  findFreePort,
  startChildService,
  type ChildService,
} from '../support/child-service.ts'
import { playModel, startFakeUpstream, type FakeUpstream } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { makePatient, tell, type PatientOptions } from './patient.ts'

let service: ChildService
let upstream: FakeUpstream
let env: Readonly<Record<string, string>>
const closers: (() => unknown)[] = []

before(async () => {
  upstream = await startFakeUpstream({ modelTraits: { max_model_len: 300_000 } })
  const opsPort = await findFreePort()
  const dataDir = makeTemporaryDirectory({ after: (close) => closers.push(close) })
  const ops = { PARLEY_OPS_PORT: `${opsPort}` }
  service = await startChildService({ dataDir, upstreamUrl: upstream.url, env: ops })
  env = {
    ...NO_FILE,
    ...ops,
    PORT: `${service.port}`,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_OPERATOR_TOKEN: CHILD_OPERATOR_TOKEN,
    PARLEY_SECRET: 'secret-of-the-child-services-of-the-tests',
    PARLEY_UPSTREAM_URL: upstream.url,
    PARLEY_UPSTREAM_MODEL: 'fake-model',
    OLLAMA_HOST: 'http://127.0.0.1:1',
  }
})
after(async () => {
  await service.child.kill()
  await upstream.close()
  for (const close of closers) close()
})

async function doctor(
  more: Readonly<Record<string, string>> = {},
  ...args: string[]
): Promise<Ran> {
  const patient = ['doctor', '--timeout', '30', ...args]
  return runCommand(undefined, patient, { env: { ...env, ...more } })
}

async function patientOf(options: PatientOptions = {}): Promise<Patient> {
  const patient = makePatient({ ...options, env: { ...env, ...options.env } })
  return { ...patient, service: findService(patient.config, patient.timeoutMs) }
}

async function serve(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a service that runs as it should has nothing wrong', async () => {
  upstream.play(playModel())
  const ran = await doctor()
  const text = ran.stdout.replaceAll(/\s+/g, ' ')
  assert.equal(ran.code, 0, ran.stdout)
  assert.doesNotMatch(ran.stdout, /^ {2}problem/m)
  for (const expected of [
    /Parley 0\.1\.0 is running at 127\.0\.0\.1:\d+/,
    /It is ready, says 127\.0\.0\.1:\d+\/readyz/,
    /The books add up \(transfers: 1, accounts: 1\)/,
    /http:\/\/127\.0\.0\.1:\d+ leads to Parley/,
    /Apps find the sign-in of http:\/\/127\.0\.0\.1:\d+, with \d signing keys?/,
    /The file is whole/,
    /No proxy stands before the service/,
    /\d+ ok, \d+ notes?, \d+ warnings?, 0 problems/,
  ]) {
    assert.match(text, expected)
  }
  assert.ok(!ran.stdout.includes(CHILD_OPERATOR_TOKEN))
  // Nobody looks on: a line that is written over would only be in the way.
  assert.equal(ran.stderr, '')
  assert.ok(ran.stdout.split('\n').every((line) => line.length <= 88 || !/ .* /.test(line.trim())))
})

test('JSON has the same findings, and a problem makes the command fail', async () => {
  upstream.play(playModel())
  const taken = await doctor({ PORT: '1', PARLEY_OPS_PORT: env['PARLEY_OPS_PORT'] ?? '' }, '--json')
  const { ok, counts, findings } = taken.json as {
    ok: boolean
    counts: { problem: number }
    findings: { group: string; level: string; found: string; advice: string | null }[]
  }
  assert.deepEqual([taken.code, ok, counts.problem], [1, false, 1])
  const found = findings.find(({ level }) => level === 'problem')
  assert.equal(found?.group, 'Service')
  assert.match(found?.found ?? '', /Something listens on .*, where metrics and health should be/)
  assert.equal(found?.advice, 'Set PARLEY_OPS_PORT to another port.')
  assert.match(taken.stderr, /There is a problem/)
  const all = tell(findings as Parameters<typeof tell>[0])
  if (process.platform === 'linux') {
    assert.match(all, /warning: Process \d+ has the data directory, and nothing answers at .*:1\b/)
  }
})

test('colours are for terminals, and for those who want them', async () => {
  const args = ['doctor']
  const broken = { ...NO_FILE, PORT: 'x' }
  const run = (more: Readonly<Record<string, string>>, terminals: readonly 'stdout'[]) =>
    runCommand(undefined, args, { env: { ...broken, ...more }, terminals })
  const red = '\u001B[31mproblem'
  assert.ok((await run({}, ['stdout'])).stdout.includes(red))
  for (const plain of [await run({ NO_COLOR: '1' }, ['stdout']), await run({}, [])]) {
    assert.ok(plain.stdout.includes('problem') && !plain.stdout.includes('\u001B'))
  }
})

test('a terminal sees what is looked at meanwhile, and nothing of it in the end', async () => {
  upstream.play(playModel())
  const options = { env, terminals: ['stderr'] } as const
  const { stderr } = await runCommand(undefined, ['doctor'], options)
  assert.match(stderr, /Looking at: Disk/)
  assert.ok(stderr.endsWith('\r\u001B[K'))
})

test('another release, an open ops port, and one that tells nothing are warnings', async (t) => {
  const port = await serve(t, (_request, response) =>
    response.end(JSON.stringify({ info: { version: '9.9.9' }, paths: { '/v1/chat/{brand}': {} } })),
  )
  const other = { PORT: `${port}`, PARLEY_OPS_HOST: '0.0.0.0', PARLEY_OPS_PORT: '1' }
  const told = tell(await checkService(await patientOf({ env: other })))
  assert.match(told, /warning: Parley 9\.9\.9 is running .* → This command is of 0\.1\.0/)
  assert.match(told, /warning: Metrics and health are open to the network, at 0\.0\.0\.0:1/)
  assert.match(told, /warning: Its health is not told at 0\.0\.0\.0:1: nobody listens there/)
})

test('a service that is not ready says why', async (t) => {
  const body = { ready: false, draining: false, store: 'away', upstreams: 'ok' }
  const port = await serve(t, (_request, response) => response.end(JSON.stringify(body)))
  const told = tell(await checkService(await patientOf({ env: { PARLEY_OPS_PORT: `${port}` } })))
  assert.match(told, /problem: It says that it is not ready: store away, upstreams ok/)
})

test('a stranger on the port, and an address that is not ours, are problems', async (t) => {
  const port = await serve(t, (_request, response) => response.end('hello'))
  const stranger = tell(await checkService(await patientOf({ env: { PORT: `${port}` } })))
  assert.match(stranger, /^problem: Something listens on .* as Parley does \(HTTP 200\)/)
  const absent = { kind: 'absent', origin: 'http://x', reason: 'x' } as const
  const far = makePatient({ env: { HOST: '192.0.2.1', PARLEY_OPS_PORT: '0' }, service: absent })
  const told = tell(await checkService(far))
  assert.match(told, /problem: This machine has no address 192\.0\.2\.1/)
  assert.match(told, /note: PARLEY_OPS_PORT is 0: nothing can watch/)
})

test('books that cannot be asked for, or do not add up, are told apart', async (t) => {
  const wrong = { PARLEY_OPERATOR_TOKEN: 'another-token-that-is-long-enough' }
  const refused = tell(await checkBooks(await patientOf({ env: wrong })))
  assert.match(refused, /^warning: The running service refuses the operator token/)

  let status = 200
  const books = { ok: false, transfers: 3, accounts: 1, discrepancies: ['one', 'two'] }
  const port = await serve(t, (_request, response) =>
    response.writeHead(status).end(JSON.stringify(books)),
  )
  const running = { kind: 'running', version: '0', origin: `http://127.0.0.1:${port}` } as const
  const look = async () => tell(await checkBooks(makePatient({ env, service: running })))
  assert.match(await look(), /^problem: The books do not add up: 2 discrepancies/)
  status = 500
  assert.match(await look(), /^warning: The service did not add up its books \(HTTP 500\)/)
  const noToken = makePatient({
    env: { PARLEY_DATA_DIR: makeTemporaryDirectory(t) },
    service: running,
  })
  assert.match(tell(await checkBooks(noToken)), /^note: Not added up: the operator token/)
})

/** As nginx is without "proxy_buffering off", or as it should be. */
async function startProxy(t: TestContext, how: 'holds' | 'passes'): Promise<string> {
  const port = await serve(t, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const passed = request(
      { host: '127.0.0.1', port: service.port, method, path, headers },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        if (how === 'passes') return void reply.pipe(outgoing)
        const pieces: Buffer[] = []
        reply.on('data', (piece: Buffer) => pieces.push(piece))
        reply.on('end', () => outgoing.end(Buffer.concat(pieces)))
      },
    )
    incoming.pipe(passed)
  })
  return `http://127.0.0.1:${port}/v1`
}

test('a proxy that holds streams back is found by asking past it and through it', async (t) => {
  const deltas = Array.from({ length: 30 }, (_one, index) => `${index} `)
  upstream.play({ deltas, pace: { beforeDeltaMs: 20 } })
  const { key: apiKey } = await service.openAccount('streams')
  const look = async (baseUrl: string, key: string | undefined = apiKey): Promise<string> => {
    const options = { env: { PARLEY_BASE_URL: baseUrl }, apiKey: key, timeoutMs: 30_000 }
    return tell(await checkStreaming(await patientOf(options)))
  }
  const [held, passed] = [await startProxy(t, 'holds'), await startProxy(t, 'passes')]
  assert.match(await look(held), /^problem: The proxy holds streams back/)
  assert.match(await look(passed), /^ok: Streams come through the proxy as they are made/)
  const wrong = await look(passed, `${apiKey}x`)
  assert.match(wrong, /^warning: The trial reply was refused with HTTP 401/)
  const patient = await patientOf({ env: { PARLEY_BASE_URL: passed } })
  assert.match(tell(await checkStreaming(patient)), /^note: .* was not tried\. → Give an API key/)
})
