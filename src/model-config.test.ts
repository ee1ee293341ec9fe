import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOfYaml, readYaml } from '../test/support/config-files.ts'

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
