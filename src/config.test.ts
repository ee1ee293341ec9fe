import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts'
import {
  NO_FILE,
  problemsOf,
  problemsOfYaml,
  readYaml,
  writeYaml,
} from '../test/support/config-files.ts'
import { ConfigError, readConfig, type Environment } from './config.ts'

function upstream(fields: string): string {
  return `models: { air: { upstreams: [ { ${fields} } ] } }`
}

const whole = 'name: one, kind: openai, url: "http://one/v1", model: m'

test('with nothing set there is a default for everything', () => {
  const config = readConfig(NO_FILE)
  assert.deepEqual(
    { ...config, identityText: undefined },
    {
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080/v1',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      operatorToken: undefined,
      issuer: 'http://127.0.0.1:8080',
      trustedProxies: [],
      secret: undefined,
      smtp: undefined,
      ops: { host: '127.0.0.1', port: 9464, isChosen: false },
      drain: { delayMs: 0, limitMs: 30_000 },
      payments: { kind: 'sandbox' },
      seller: { name: 'svc', address: '', vatId: undefined, vatRate: 0 },
      production: false,
      logLevel: 'info',
      serviceName: 'svc',
      identityText: undefined,
      ollamaUrl: 'http://127.0.0.1:11434',
      retentionMonths: undefined,
      brands: { air: { upstreams: [] }, prime: { upstreams: [] }, nova: { upstreams: [] } },
    },
  )
  assert.match(config.identityText, /\{model\}/)
})

test('every variable does what it says', () => {
  const config = readConfig({
    ...NO_FILE,
    HOST: '0.0.0.0',
    PORT: '65535',
    PARLEY_BASE_URL: 'https://api.example.com/v1',
    PARLEY_DATA_DIR: '/var/parley',
    PARLEY_OPERATOR_TOKEN: 'x'.repeat(24),
    LOG_LEVEL: 'debug',
    OLLAMA_HOST: 'https://ollama.example.com',
    PARLEY_UPSTREAM_URL: 'http://127.0.0.1:8000/v1',
    PARLEY_UPSTREAM_MODEL: 'm',
    PARLEY_UPSTREAM_KEY: 'k',
  })
  const { host, port, baseUrl, dataDir, operatorToken, logLevel, ollamaUrl } = config
  assert.deepEqual([host, port, baseUrl], ['0.0.0.0', 65_535, 'https://api.example.com/v1'])
  assert.deepEqual([dataDir, operatorToken], ['/var/parley', 'x'.repeat(24)])
  assert.deepEqual([logLevel, ollamaUrl], ['debug', 'https://ollama.example.com'])
  const [air] = config.brands.air.upstreams
  assert.ok(air?.kind === 'openai')
  assert.deepEqual([air.url, air.model, air.apiKey], ['http://127.0.0.1:8000/v1', 'm', 'k'])
  assert.deepEqual(config.brands.nova, config.brands.air)
})

test('an address of IPv6 is put in brackets', () => {
  assert.equal(readConfig({ ...NO_FILE, HOST: '::1' }).baseUrl, 'http://[::1]:8080/v1')
})

const badVariables: readonly [Environment, RegExp][] = [
  ...['', '0', '65536', '-1', '80.5', '8e3', 'http', ' 80', '0x50'].map(
    (PORT): [Environment, RegExp] => [{ PORT }, /^PORT: must be a number from 1 to 65535$/],
  ),
  ...['', 'a b', 'http://0.0.0.0', '[::1'].map((HOST): [Environment, RegExp] => [
    { HOST },
    /^HOST: /,
  ]),
  ...['', 'api.example.com/v1', 'ftp://x/v1', 'https://x', 'https://x/v2', 'https://x/v1/'].map(
    (url): [Environment, RegExp] => [{ PARLEY_BASE_URL: url }, /^PARLEY_BASE_URL: .*\/v1$/],
  ),
  ...['', 'short', 'x'.repeat(23), `${'x'.repeat(24)} y`].map((token): [Environment, RegExp] => [
    { PARLEY_OPERATOR_TOKEN: token },
    /^PARLEY_OPERATOR_TOKEN: must be at least 24 characters without spaces$/,
  ]),
  ...['', 'verbose', 'INFO'].map((level): [Environment, RegExp] => [
    { LOG_LEVEL: level },
    /^LOG_LEVEL: must be one of silent, error, warn, info, debug$/,
  ]),
  ...['', 'nonsense', 'file:///x', '127.0.0.1:8000'].map((url): [Environment, RegExp] => [
    { PARLEY_UPSTREAM_URL: url, PARLEY_UPSTREAM_MODEL: 'm' },
    /^PARLEY_UPSTREAM_URL: must be an address that begins with http/,
  ]),
  [{ PARLEY_UPSTREAM_URL: 'http://x/v1' }, /^PARLEY_UPSTREAM_MODEL: say which model/],
  [{ PARLEY_UPSTREAM_MODEL: 'm' }, /^PARLEY_UPSTREAM_MODEL: set PARLEY_UPSTREAM_URL too$/],
  ...['x', 'localhost:5432', 'mysql://h/d'].map((url): [Environment, RegExp] => [
    { DATABASE_URL: url },
    /^DATABASE_URL: must be a URL like postgres:/,
  ]),
  [
    { PARLEY_CONFIG: '/nowhere/parley.yaml' },
    /^PARLEY_CONFIG: cannot read \/nowhere\/parley.yaml$/,
  ],
  [{ PARLEY_CONFIG: '/' }, /^PARLEY_CONFIG: cannot read \/$/],
]

for (const [env, says] of badVariables) {
  test(`${JSON.stringify(env)} is refused, and the variable is named`, () => {
    const problems = problemsOf(env)
    assert.equal(problems.length, 1)
    assert.match(problems[0] as string, says)
  })
}

test('all that is wrong is told at once', (t) => {
  const yaml = 'service: { name: "1" }\nmodels: { air: { context_window: 0 } }\n'
  const path = writeYaml(t, yaml)
  const env = { PORT: 'x', LOG_LEVEL: 'x', PARLEY_OPERATOR_TOKEN: 'x', DATABASE_URL: 'x' }
  const problems = problemsOf({ ...env, PARLEY_BASE_URL: 'x', PARLEY_CONFIG: path })
  const places = problems.map((problem) => problem.replace(`${path}: `, '').split(':')[0])
  assert.deepEqual(
    new Set(places),
    new Set([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PARLEY_BASE_URL',
      'PARLEY_OPERATOR_TOKEN',
      'PORT',
      'models.air.context_window',
      'service.name',
    ]),
  )
})

test('production refuses a simulated model, for each brand by name, unless it is allowed', (t) => {
  const production = { NODE_ENV: 'production' }
  const problems = problemsOf(production)
  assert.deepEqual(
    problems.map((problem) => problem.split(':')[0]),
    ['models.air', 'models.prime', 'models.nova'],
  )
  for (const problem of problems) assert.match(problem, /PARLEY_ALLOW_SIMULATED=1/)
  assert.deepEqual(problemsOf({ ...production, PARLEY_ALLOW_SIMULATED: '1' }), [])
  const path = writeYaml(t, upstream(whole))
  assert.equal(problemsOf({ ...production, PARLEY_CONFIG: path }).length, 2)
  const mixed = upstream(`${whole} }, { kind: simulated`)
  const [ofMixed, ...others] = problemsOf({ ...production, PARLEY_CONFIG: writeYaml(t, mixed) })
  assert.match(
    ofMixed ?? '',
    /^models\.air: has the simulated model among its upstreams, .*take it out/,
  )
  assert.equal(others.length, 2)
})

test('production looks for no Ollama', () => {
  const env = { ...NO_FILE, NODE_ENV: 'production', PARLEY_ALLOW_SIMULATED: '1' }
  assert.equal(readConfig({ ...env, OLLAMA_HOST: 'http://x' }).ollamaUrl, undefined)
})

test("OLLAMA_HOST is read as Ollama reads it: without a scheme its port is Ollama's", () => {
  const read = (host: string) => readConfig({ ...NO_FILE, OLLAMA_HOST: host }).ollamaUrl
  assert.equal(read('127.0.0.1:9999'), 'http://127.0.0.1:9999')
  assert.equal(read('http://gpu:9999'), 'http://gpu:9999')
  assert.equal(read('gpu'), 'http://gpu:11434')
  assert.equal(read(''), 'http://127.0.0.1:11434')
})

const at = 'models.air.upstreams[0]'
const badFiles: readonly [yaml: string, path: string, says: RegExp][] = [
  ['[]', 'the file', /must be an object/],
  ['just text', 'the file', /must be an object, not a string/],
  ['servce: {}', 'servce', /is unknown; did you mean "service"\?/],
  ['service: x', 'service', /must be an object, not a string/],
  ['service: { name: Acme }', 'service.name', /matching/],
  ['service: { name: "" }', 'service.name', /matching/],
  [`service: { name: ${'x'.repeat(21)} }`, 'service.name', /matching/],
  ['service: { name: 7 }', 'service.name', /must be a string/],
  ['service: { identity: "" }', 'service.identity', /must be a string of 1 to 20000/],
  ['service: { nmae: x }', 'service.nmae', /is unknown; did you mean "name"\?/],
  ['models: { nov: {} }', 'models.nov', /is unknown; did you mean "nova"\?/],
  ['models: { air: [] }', 'models.air', /must be an object, not an array/],
  ...['context_window', 'max_output_tokens'].flatMap((name): [string, string, RegExp][] =>
    ['0', '-1', '1.5', '"9"', '100000001', '.inf', 'true'].map((value) => [
      `models: { air: { ${name}: ${value} } }`,
      `models.air.${name}`,
      /must be an integer/,
    ]),
  ),
  [
    'models: { air: { context_windw: 1 } }',
    'models.air.context_windw',
    /did you mean "context_window"/,
  ],
  ['models: { air: { upstreams: [] } }', 'models.air.upstreams', /of 1 to 16 items/],
  ['models: { air: { upstreams: {} } }', 'models.air.upstreams', /must be an array/],
  [
    upstream(Array(17).fill('kind: simulated').join(' }, { ')),
    'models.air.upstreams',
    /1 to 16 items/,
  ],
  [upstream('kind: magic'), `${at}.kind`, /"openai", "simulated"/],
  [upstream('name: x'), `${at}.kind`, /./],
  ['models: { air: { upstreams: [x] } }', at, /must be an object/],
  [upstream('kind: openai, url: "http://x", model: m'), `${at}.name`, /is required/],
  [upstream('name: x, kind: openai, model: m'), `${at}.url`, /is required/],
  [upstream('name: x, kind: openai, url: "http://x"'), `${at}.model`, /is required/],
  [upstream('name: x, kind: openai, url: nonsense, model: m'), `${at}.url`, /begins with http/],
  [upstream('name: x, kind: openai, url: "ftp://x", model: m'), `${at}.url`, /begins with http/],
  [upstream(`${whole}, api_key: 7`), `${at}.api_key`, /must be a string/],
  ...['connect_timeout_ms', 'timeout_ms', 'idle_timeout_ms'].flatMap(
    (name): [string, string, RegExp][] =>
      ['0', '3600001', '1.5', '"5s"'].map((value) => [
        upstream(`${whole}, ${name}: ${value}`),
        `${at}.${name}`,
        /must be an integer/,
      ]),
  ),
  [upstream(`${whole}, continuous_usage: maybe`), `${at}.continuous_usage`, /must be a boolean/],
  [upstream(`${whole}, timeout: 5`), `${at}.timeout`, /is unknown/],
  [upstream(`${whole}, timout_ms: 5`), `${at}.timout_ms`, /did you mean "timeout_ms"/],
  [upstream('kind: simulated, url: "http://x"'), `${at}.url`, /is unknown/],
  [upstream(`${whole} }, { ${whole}`), 'models.air.upstreams[1].name', /another upstream of air/],
  ['__proto__: { polluted: 1 }', '__proto__', /is unknown/],
  ['models: { __proto__: { air: {} } }', 'models.__proto__', /is unknown/],
  ['models: { air: { constructor: 1 } }', 'models.air.constructor', /is unknown/],
]

for (const [yaml, path, says] of badFiles) {
  test(`${yaml.slice(0, 90)} is refused at ${path}`, (t) => {
    const problems = problemsOfYaml(t, yaml)
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.ok(problems[0]?.startsWith(`${path}: `), problems[0])
    assert.match(problems[0] as string, says)
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  })
}

test(`\${NAME} in any text of the file becomes what the environment says, once`, (t) => {
  const yaml = upstream(
    `name: one, kind: openai, url: "http://\${HOST_}:\${PORT_}/v1", model: m, api_key: "\${KEY_}"`,
  )
  const env = { HOST_: 'gpu', PORT_: '9', KEY_: `a\${HOST_}b` }
  const [air] = readYaml(t, yaml, env).brands.air.upstreams
  assert.ok(air?.kind === 'openai')
  assert.deepEqual([air.url, air.apiKey], ['http://gpu:9/v1', `a\${HOST_}b`])
})

test('a variable that the file names and nobody has set is told with its place', (t) => {
  const yaml = upstream(`${whole}, api_key: "\${NOT_SET}"`)
  assert.deepEqual(problemsOfYaml(t, yaml), [
    `${at}.api_key: the environment variable NOT_SET is not set`,
  ])
})

test(`what is no \${NAME} is left as it is`, (t) => {
  const { identityText } = readYaml(t, `service: { identity: "$HOME \${} \${a-b} {model}" }`)
  assert.equal(identityText, `$HOME \${} \${a-b} {model}`)
})

test('a file that is no YAML is told with its line, and nothing of it is quoted', (t) => {
  const broken = [
    'service: {',
    'a: "secret-in-the-file',
    'a: 1\na: secret-in-the-file',
    '\tsecret-in-the-file: 1',
    '---\na: 1\n---\nb: 2',
    '&',
  ]
  for (const yaml of broken) {
    const problems = problemsOfYaml(t, yaml)
    assert.ok(problems.length > 0, yaml)
    for (const problem of problems) {
      assert.match(problem, /line \d+/, yaml)
      assert.doesNotMatch(problem, /secret-in-the-file/)
    }
  }
})

test('a file with aliases to nothing, or with more of them than could be read, is refused', (t) => {
  assert.ok(problemsOfYaml(t, 'service: *nothing').length > 0)
  const levels = Array.from({ length: 12 }, (_, level) => {
    const item = level === 0 ? 'x' : `*a${level - 1}`
    return `a${level}: &a${level} [${Array.from({ length: 12 }, () => item).join(', ')}]`
  })
  const startedMs = performance.now()
  assert.ok(problemsOfYaml(t, levels.join('\n')).length > 0)
  assert.ok(performance.now() - startedMs < 2_000)
})

test('an empty file says nothing', (t) => {
  for (const yaml of ['', '\n', '# only a comment\n', '---\n', 'null']) {
    assert.equal(readYaml(t, yaml).serviceName, 'svc')
  }
})

test('a file that cannot be read is told, also where nobody named it', (t) => {
  const directory = makeTemporaryDirectory(t)
  mkdirSync(join(directory, 'parley.yaml'))
  const before = process.cwd()
  process.chdir(directory)
  t.after(() => process.chdir(before))
  assert.throws(
    () => readConfig({}),
    (error) => error instanceof ConfigError && /parley\.yaml/.test(error.message),
  )
})

test('how long receipts are kept is set in the file, and refused where none can be deleted', (t) => {
  const env = { DATABASE_URL: 'postgres://parley@db/parley' }
  assert.equal(readYaml(t, 'retention_months: 12', env).retentionMonths, 12)
  assert.deepEqual(problemsOfYaml(t, 'retention_months: 0'), [
    'retention_months: must be an integer from 1 to 1200',
  ])
  assert.match(
    problemsOf({ PARLEY_CONFIG: writeYaml(t, 'retention_months: 12') })[0] ?? '',
    /PostgreSQL/,
  )
})

test('where people sign in is the origin of the base URL, or one that is set', () => {
  const baseUrl = { PARLEY_BASE_URL: 'https://api.example.com/parley/v1' }
  assert.equal(readConfig({ ...NO_FILE, ...baseUrl }).issuer, 'https://api.example.com')
  const authUrl = { PARLEY_AUTH_URL: 'https://auth.example.com/' }
  assert.equal(
    readConfig({ ...NO_FILE, ...baseUrl, ...authUrl }).issuer,
    'https://auth.example.com',
  )
  for (const url of [
    'https://auth.example.com/path',
    'https://auth.example.com/?a',
    'ftp://a',
    'a',
  ]) {
    const [problem] = problemsOf({ PARLEY_AUTH_URL: url })
    assert.match(
      String(problem),
      /^PARLEY_AUTH_URL: must be an http or https address without a path/,
    )
  }
})

test('proxies are told as addresses or networks, and nothing else is believed', () => {
  const read = (text: string) =>
    readConfig({ ...NO_FILE, PARLEY_TRUSTED_PROXIES: text }).trustedProxies
  assert.deepEqual(read('10.0.0.0/8, ::1 ,192.168.1.1'), ['10.0.0.0/8', '::1', '192.168.1.1'])
  assert.deepEqual(read(''), [])
  for (const text of ['proxy.example.com', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', 'true', '1']) {
    assert.match(String(problemsOf({ PARLEY_TRUSTED_PROXIES: text })[0]), /^PARLEY_TRUSTED_PROXIES/)
  }
})

test('a secret that is too short and an address that is no mail server are told, and not quoted', () => {
  const problems = problemsOf({
    PARLEY_SECRET: 'too-short',
    SMTP_URL: 'http://user:pass@mail',
    PARLEY_MAIL_FROM: 'a@example.com',
  })
  assert.deepEqual(
    problems.map((problem) => problem.split(':', 1)[0]),
    ['PARLEY_SECRET', 'SMTP_URL'],
  )
  assert.doesNotMatch(problems.join(), /too-short|pass@/)
})
