import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { NO_FILE, problemsOf, problemsOfYaml, readYaml } from '../test/support/config-files.ts'
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts'
import { readConfig } from './config.ts'

function upstream(fields: string): string {
  return `models: { air: { upstreams: [ { ${fields} } ] } }`
}

const whole = 'name: one, kind: openai, url: "http://one/v1", model: m'

test('a file says all there is to say of models', (t) => {
  const config = readYaml(
    t,
    `
service: { name: acme, identity: "I am {model}." }
models:
  air:
    context_window: 1000
    max_output_tokens: 100
    upstreams:
      - name: one
        kind: openai
        url: http://one/v1
        model: big
        api_key: secret
        connect_timeout_ms: 1
        timeout_ms: 2
        idle_timeout_ms: 3600000
        continuous_usage: true
        priority: 1
        weight: 3
        max_concurrent: 4
        requests_per_minute: 60
      - kind: simulated
  prime:
  nova: { upstreams: null }
`,
  )
  assert.deepEqual([config.serviceName, config.identityText], ['acme', 'I am {model}.'])
  assert.deepEqual(config.brands.air, {
    contextWindow: 1_000,
    maxOutputTokens: 100,
    upstreams: [
      {
        kind: 'openai',
        name: 'one',
        url: 'http://one/v1',
        model: 'big',
        apiKey: 'secret',
        connectTimeoutMs: 1,
        timeoutMs: 2,
        idleTimeoutMs: 3_600_000,
        continuousUsage: true,
        priority: 1,
        weight: 3,
        maxConcurrent: 4,
        requestsPerMinute: 60,
      },
      { kind: 'simulated' },
    ],
  })
  assert.deepEqual(config.brands.prime, { upstreams: [] })
  assert.deepEqual(config.brands.nova, { upstreams: [] })
})

test("a brand's own upstreams go before the one of the environment", (t) => {
  const env = { PARLEY_UPSTREAM_URL: 'http://all/v1', PARLEY_UPSTREAM_MODEL: 'm' }
  const { brands } = readYaml(t, upstream(whole), env)
  const urls = Object.values(brands).map(({ upstreams }) =>
    upstreams.map((one) => 'url' in one && one.url),
  )
  assert.deepEqual(urls, [['http://one/v1'], ['http://all/v1'], ['http://all/v1']])
})

test('a weight without a priority is refused: it would share with nobody', (t) => {
  assert.deepEqual(problemsOfYaml(t, upstream(`${whole}, weight: 3`)), [
    'models.air.upstreams[0].weight: set priority too; upstreams of one priority share by their weights',
  ])
  assert.deepEqual(problemsOfYaml(t, upstream(`${whole}, priority: 1, weight: 3`)), [])
})

test('providers in their own format: what each needs, and what it may not have', (t) => {
  const { brands } = readYaml(
    t,
    `
models:
  nova:
    upstreams:
      - { name: a, kind: anthropic, model: claude, api_key: k, thinking_tokens: 2048 }
      - { name: g, kind: google, model: gemini, api_key: k, thinking_effort: low, url: "http://g" }
      - { name: b, kind: bedrock, model: m, region: eu-west-1, api_key: k }
      - name: s
        kind: bedrock
        model: m
        region: us-gov-west-1
        access_key_id: i
        secret_access_key: s
        session_token: t
        max_concurrent: 3
`,
  )
  assert.deepEqual(brands.nova.upstreams, [
    { kind: 'anthropic', name: 'a', model: 'claude', apiKey: 'k', thinkingTokens: 2_048 },
    {
      kind: 'google',
      name: 'g',
      model: 'gemini',
      apiKey: 'k',
      thinkingEffort: 'low',
      url: 'http://g',
    },
    { kind: 'bedrock', name: 'b', model: 'm', apiKey: 'k', region: 'eu-west-1' },
    {
      kind: 'bedrock',
      name: 's',
      model: 'm',
      apiKey: undefined,
      region: 'us-gov-west-1',
      accessKeyId: 'i',
      secretAccessKey: 's',
      sessionToken: 't',
      maxConcurrent: 3,
    },
  ])
  const problemOf = (fields: string): string =>
    problemsOfYaml(t, upstream(`name: one, model: m, ${fields}`)).join('; ')
  assert.match(problemOf('kind: anthropic'), /upstreams\[0\]\.api_key: is required/)
  assert.match(problemOf('kind: google, api_key: k, url: "ftp://x"'), /\.url: must be an address/)
  assert.match(problemOf('kind: bedrock, api_key: k'), /\.region: is required/)
  for (const access of ['', ', access_key_id: i', ', api_key: k, secret_access_key: s']) {
    assert.match(problemOf(`kind: bedrock, region: eu-west-1${access}`), /\.api_key: set this, or/)
  }
  const both = 'kind: google, api_key: k, thinking_tokens: 2048, thinking_effort: low'
  assert.match(problemOf(both), /\.thinking_effort: set this or thinking_tokens, not both/)
})

test('a model file is run for each brand without upstreams: the one named, else the one found', (t) => {
  const dataDir = makeTemporaryDirectory(t)
  const found = join(dataDir, 'models', 'small-q4.gguf')
  mkdirSync(join(dataDir, 'models'))
  writeFileSync(found, 'GGUF')
  const of = (env: Record<string, string>) =>
    readConfig({ ...NO_FILE, PARLEY_DATA_DIR: dataDir, ...env }).brands.nova.upstreams
  const here = { kind: 'llama', dataDir }
  const production = { NODE_ENV: 'production' }
  assert.deepEqual(of(production), [{ ...here, name: 'small-q4', path: found }])
  const named = join(dataDir, 'other.gguf')
  assert.match(problemsOf({ PARLEY_MODEL: named }).join(), /^PARLEY_MODEL: there is no file /)
  writeFileSync(named, 'GGUF')
  assert.deepEqual(of({ PARLEY_MODEL: named }), [{ ...here, name: 'other', path: named }])
  const server = { PARLEY_UPSTREAM_URL: 'http://all/v1', PARLEY_UPSTREAM_MODEL: 'm' }
  assert.equal(of(server)[0]?.kind, 'openai')
  assert.deepEqual(problemsOf({ ...server, PARLEY_MODEL: named }), [
    'PARLEY_MODEL: set this or PARLEY_UPSTREAM_URL, not both',
  ])
})

test('a brand may run a model file of its own, with its own share of the machine', (t) => {
  const path = join(makeTemporaryDirectory(t), 'own.gguf')
  const entry = `name: own, kind: llama, path: "${path}", context_tokens: 4096, sequences: 2, threads: 3, max_concurrent: 9`
  assert.deepEqual(problemsOfYaml(t, upstream(entry)), [
    `models.air.upstreams[0].path: there is no file ${path}`,
  ])
  writeFileSync(path, 'GGUF')
  const { brands, dataDir } = readYaml(t, upstream(entry))
  const settings = { contextTokens: 4_096, sequences: 2, threads: 3, maxConcurrent: 9 }
  assert.deepEqual(brands.air.upstreams, [
    { kind: 'llama', name: 'own', path, dataDir, ...settings },
  ])
})
