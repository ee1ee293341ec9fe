import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENGINE, engineDirectory } from '#models/index.ts'
import { checkConfiguration } from '../../src/doctor/checks/check-configuration.ts'
import { checkNode } from '../../src/doctor/checks/check-node.ts'
import { checkUpstreams } from '../../src/doctor/checks/check-upstreams.ts'
import { examine, withinTime } from '../../src/doctor/examine.ts'
import { NO_FILE } from '../support/config-files.ts'
import { playModel, refusingUrl, startFakeUpstream } from '../support/fake-upstream/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { makePatient, tell } from './patient.ts'

async function lookAt(env: Readonly<Record<string, string>>): Promise<string> {
  return tell(await checkConfiguration(makePatient({ env })))
}

test('all that is wrong with the configuration is told, and nothing else is looked at', async () => {
  const env = { ...NO_FILE, PORT: 'x', LOG_LEVEL: 'loud', PARLEY_SECRET: 'short' }
  const options = { env, clock: createManualClock(), timeoutMs: 1_000, apiKey: undefined }
  const groups = await examine(options)
  assert.deepEqual(
    groups.map(({ title }) => title),
    ['Node', 'Configuration'],
  )
  const told = tell(groups.flatMap(({ findings }) => findings))
  for (const name of ['PORT', 'LOG_LEVEL', 'PARLEY_SECRET']) {
    assert.match(told, new RegExp(`^problem: ${name}: must be .* → See docs`, 'm'))
  }
  assert.match(told, /note: Nothing else was looked at/)
})

test('a variable that nobody reads is a warning; those of commands and of other cases are not', async () => {
  assert.match(
    await lookAt({ PARLEY_OPERATR_TOKEN: 'x' }),
    /warning: PARLEY_OPERATR_TOKEN is set, and Parley knows no such variable/,
  )
  const known = {
    PARLEY_URL: 'x',
    PARLEY_API_KEY: 'x',
    PARLEY_UPSTREAM_KEY: 'x',
    PARLEY_ALLOW_SANDBOX: '1',
    PARLEY_ALLOW_SIMULATED: '1',
    PARLEY_MAIL_FROM: 'x',
  }
  assert.equal((await lookAt(known)).split('\n').length, 1)
})

test('a token that can be guessed is a problem, and is not told', async () => {
  const token = 'aaaaaaaabbbbbbbbccccccccddddddddd'
  const told = await lookAt({ PARLEY_OPERATOR_TOKEN: token, PARLEY_SECRET: token })
  assert.match(told, /problem: PARLEY_OPERATOR_TOKEN can be guessed: .* 4 different/)
  assert.match(told, /problem: PARLEY_SECRET can be guessed/)
  assert.ok(!told.includes(token))
})

test('what replicas must have in common is asked for, in production with a warning', async () => {
  const env = { DATABASE_URL: 'postgres://localhost/parley' }
  assert.match(await lookAt(env), /note: PARLEY_OPERATOR_TOKEN and PARLEY_SECRET not set/)
  const config = { production: true, databaseUrl: env.DATABASE_URL }
  const told = tell(await checkConfiguration(makePatient({ config })))
  assert.match(told, /warning: PARLEY_OPERATOR_TOKEN and PARLEY_SECRET not set/)
})

test('a proxy that is not named, or that could be anybody, is told', async () => {
  const env = { PARLEY_BASE_URL: 'https://api.example.com/v1' }
  assert.match(await lookAt(env), /warning: A proxy ends TLS before the service, and PARLEY_TRU/)
  const named = { ...env, PARLEY_TRUSTED_PROXIES: '127.0.0.1' }
  assert.doesNotMatch(await lookAt(named), /proxy/)
  const everybody = { ...env, PARLEY_TRUSTED_PROXIES: '0.0.0.0/0' }
  assert.match(await lookAt(everybody), /problem: .* trusts every address \(0\.0\.0\.0\/0\)/)
})

test('Node is the one that was tested, or newer than it, or too old', () => {
  const levels = ['24.99.0', '26.0.0', '22.1.0'].map((version) => checkNode(version)[0]?.level)
  assert.deepEqual(levels, ['ok', 'warning', 'problem'])
})

test('a check that hangs, or has a bug, is a finding', async () => {
  const hanging = Promise.withResolvers<never>().promise
  assert.match(
    tell(await withinTime('Mail', hanging, 5)),
    /warning: Mail: no answer within 0\.005 s/,
  )
  const broken = Promise.reject(new TypeError('very secret'))
  const told = tell(await withinTime('Mail', broken, 1_000))
  assert.equal(told, 'warning: Mail could not be looked at (TypeError). → Tell the developers.')
})

test('a model file that is run here is looked for, with its engine, and not loaded once more', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  const path = join(dataDir, 'own.gguf')
  writeFileSync(path, 'GGUF')
  const patient = makePatient({ env: { PARLEY_DATA_DIR: dataDir, PARLEY_MODEL: path } })
  assert.equal(
    tell(await checkUpstreams(patient)),
    `problem: air, prime, nova: ${path} has no engine: node-llama-cpp is not installed. → Run parley model install.`,
  )
  const dist = join(engineDirectory(dataDir), 'node_modules', ENGINE.package, 'dist')
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(dist, 'index.js'), '')
  assert.equal(
    tell(await checkUpstreams(patient)),
    `ok: air, prime, nova: ${path} (0 MB) is run here.`,
  )
  rmSync(path)
  assert.match(tell(await checkUpstreams(patient)), /^problem: .* there is no model file /)
})

test('each upstream is asked for one short reply, and named with its brands', async (t) => {
  const upstream = await startFakeUpstream({ modelTraits: { max_model_len: 2_000 } })
  t.after(() => upstream.close())
  upstream.play(playModel())
  const env = { PARLEY_UPSTREAM_URL: upstream.url, PARLEY_UPSTREAM_MODEL: 'fake-model' }
  const told = tell(await checkUpstreams(makePatient({ env })))
  assert.match(told, /ok: default \(air, prime, nova\): .* lists 1 model, fake-model among them/)
  assert.match(told, /ok: default \(air, prime, nova\): Streams: first token after \d+ ms/)
  assert.match(told, /warning: default .*2,000 tokens long, and prime is sold with 262,144/)
  assert.equal(upstream.requests.filter(({ method }) => method === 'POST').length, 1)

  upstream.play(playModel({ usage: 'none' }))
  assert.match(tell(await checkUpstreams(makePatient({ env }))), /warning: .*Reports no usage/)
  upstream.play({ fault: { kind: 'status', status: 500 } })
  const failing = tell(await checkUpstreams(makePatient({ env })))
  assert.match(
    failing,
    /problem: default .*It does not stream: overloaded, it answered with status 500/,
  )
  const away = { ...env, PARLEY_UPSTREAM_URL: await refusingUrl() }
  const unreachable = tell(await checkUpstreams(makePatient({ env: away })))
  assert.match(unreachable, /^problem: default .* cannot be reached: nobody listens there/)
})

test('the simulated model is news', async () => {
  const told = tell(await checkUpstreams(makePatient()))
  assert.match(told, /^note: The simulated model answers for air, prime, nova/)
})
