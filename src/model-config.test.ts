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
