import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { NO_FILE, readYaml } from '../support/config-files.ts'
import {
  playModel,
  refusingUrl,
  startFakeUpstream,
  type FakeUpstream,
  type FakeUpstreamOptions,
  type ModelTraits,
} from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { runCommand, type Ran } from './run-command.ts'

const WINDOW = { modelTraits: { max_model_len: 2_000 } }

async function startModel(
  t: TestContext,
  traits: ModelTraits = {},
  options: FakeUpstreamOptions = WINDOW,
): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream(options)
  t.after(() => upstream.close())
  upstream.play(playModel(traits))
  return upstream
}

async function check(url: string, ...args: string[]): Promise<Ran> {
  return runCommand(undefined, ['upstream', 'check', url, ...args], { env: NO_FILE })
}

/** Warnings and problems, a line each. */
function complaintsOf({ stdout }: Ran): string[] {
  const lines = stdout.replaceAll(/\n {11}/g, ' ').split('\n')
  return lines.filter((line) => /^ {2}(warning|problem) /.test(line)).map((line) => line.trim())
}

async function complaintsAbout(t: TestContext, traits: ModelTraits): Promise<string> {
  const { url } = await startModel(t, traits)
  return complaintsOf(await check(url)).join('\n')
}

test('a good server has nothing to complain of, and its entry is one that the service starts with', async (t) => {
  const { url, requests } = await startModel(t, { reasoning: 'apart', dialect: 'vllm' })
  const ran = await check(url)
  assert.deepEqual([ran.code, complaintsOf(ran), ran.stderr], [0, [], ''])
  for (const expected of [
    /lists 1 model, fake-model among them/,
    /context is 2,000 tokens/,
    /Answers whole, after \d+ ms/,
    /Streams: first token after \d+ ms, then [\d,.]+ tokens\/s/,
    /finishes with "length"/,
    /Takes two system messages/,
    /Calls several tools at once/,
    /Goes on after tools were answered/,
    /fit for nova/,
    /callers get 400/,
    /seems to stop at once/,
  ]) {
    assert.match(ran.stdout.replaceAll(/\s+/g, ' '), expected)
  }
  const [, yaml = ''] = /For parley\.yaml:\n\n([\s\S]+?)\n\n/.exec(ran.stdout) ?? []
  const { brands } = readYaml(t, yaml)
  const host = new URL(url).host
  assert.deepEqual(brands.nova, {
    contextWindow: 2_000,
    upstreams: [
      {
        kind: 'openai',
        name: host,
        url,
        model: 'fake-model',
        apiKey: undefined,
        continuousUsage: true,
      },
    ],
  })
  assert.ok(requests.some((request) => request.body.stream !== true && request.body.max_tokens))
})

test('a reply that nobody reads on is left, as a caller would leave it', async (t) => {
  const { url, requests } = await startModel(t)
  await check(url)
  const endings = await Promise.all(
    requests.filter(({ path }) => path.endsWith('completions')).map(({ ended }) => ended),
  )
  assert.equal(endings.filter((ending) => ending === 'client-left').length, 1)
})

const flaws: readonly (readonly [string, ModelTraits, RegExp])[] = [
  ['reports no usage', { usage: 'none' }, /no usage on replies that are whole or streamed/],
  ['counts ten times as much', { usage: 'inflated' }, /Reports \d+ prompt tokens; our estimate/],
  ['counts a prompt in two ways', { countsTwice: true }, /Counts one prompt as \d+ tokens whole/],
  ['ignores max_tokens', { ignoresMaxTokens: true }, /Went on to 36 tokens .* max_tokens was 8/],
  ['hides that it was cut off', { finish: 'stop' }, /finishes with "stop" rather than "length"/],
  ['takes one system message', { takesOneSystemMessage: true }, /second system message.*502/],
  ['sends all in one piece', { inOnePiece: true }, /came in one piece/],
  ['refuses tools', { tools: 'refused' }, /Refuses requests with tools, streamed: rejected/],
  ['writes calls as text', { tools: 'as-text' }, /tool call came as text, whole/],
  ['calls no tool', { tools: 'ignored' }, /Called no tool where it was asked to/],
  ['breaks arguments', { tools: 'broken' }, /1 of 1 tool calls, streamed, have a name or arg/],
  ['cuts long prompts', { overflow: 'cut' }, /longer than its context: it cuts it/],
  ['refuses long prompts in its own words', { overflow: 'oddly' }, /rejected, .* status 413/],
  ['goes on for nobody', { waitAfterLeftMs: 2_500 }, /to go on for nobody/],
]

for (const [what, traits, complaint] of flaws) {
  test(`a server that ${what} is told by it, and by nothing else`, async (t) => {
    const complaints = await complaintsAbout(t, traits)
    assert.match(complaints, complaint)
    const about = complaints.split('\n').filter((line) => !complaint.test(line))
    // The same flaw shows in both forms of a reply, and of both counts.
    for (const line of about) assert.match(line, /whole|streamed|completion|length/, line)
  })
}

test('one tool at a time is no flaw, and no promise', async (t) => {
  const { url } = await startModel(t, { tools: 'one' })
  const ran = await check(url)
  assert.deepEqual(complaintsOf(ran), [])
  assert.match(ran.stdout, /note +Called one tool where two were asked for/)
})

test('a prompt that is too long is not tried where nobody knows what that is, or it would be dear', async (t) => {
  const untold = await startModel(t, {}, {})
  const told = (await check(untold.url)).stdout.replaceAll(/\s+/g, ' ')
  assert.match(told, /note It does not tell how long its context is\. → Set context_window/)
  assert.match(told, /note Not tried: its context is not told/)
  assert.match(told, /For parley\.yaml: # Add context_window/)
  const long = await startModel(t, {}, { modelTraits: { context_length: 1_000_000 } })
  assert.match((await check(long.url)).stdout, /Not tried: its context is long/)
})

test('reasoning within the text is found', async (t) => {
  const { url } = await startModel(t, { reasoning: 'tagged' })
  assert.match((await check(url)).stdout, /between <think> and <\/think>/)
})

test('a server that wants its reasoning back gets an entry that sends it', async (t) => {
  const { url } = await startModel(t, { reasoning: 'apart', dialect: 'deepseek' })
  const ran = await check(url)
  assert.deepEqual(complaintsOf(ran), [])
  assert.match(ran.stdout, /send_reasoning: true/)
})

test('who cannot be asked is a problem, with what to do', async (t) => {
  const cases: readonly (readonly [string, FakeUpstreamOptions, string[], RegExp])[] = [
    ['key', { modelsStatus: 401 }, [], /refuses the key \(HTTP 401\).*Correct api_key/],
    ['list', { modelsStatus: 404 }, [], /does not list its models.*Give the name of a model/],
    ['models', { models: ['a', 'b'] }, [], /lists 2 models\. → Give one .* --model: a, b/],
    ['silence', {}, ['--timeout', '0.2'], /It does not stream: timeout/],
  ]
  for (const [what, options, args, expected] of cases) {
    const upstream = await startModel(t, {}, options)
    if (what === 'silence') upstream.play({ fault: { kind: 'hang', at: 'before-head' } })
    const ran = await check(upstream.url, ...args)
    assert.equal(ran.code, 1, what)
    assert.match(ran.stdout.replaceAll(/\s+/g, ' '), expected)
    assert.doesNotMatch(ran.stdout, /For parley\.yaml/)
  }
  const unreachable = await check(await refusingUrl())
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.stdout, /cannot be reached: nobody listens there \(ECONNREFUSED\)/)
})

test('a connection that is not kept, and a model that is not listed, are warnings', async (t) => {
  const { url } = await startModel(t, {}, { ...WINDOW, closesConnections: true })
  const complaints = complaintsOf(await check(url, '--model', 'other')).join('\n')
  assert.match(complaints, /closes the connection after each answer/)
  assert.match(complaints, /other is not among them/)
})

test('the key is taken from the variable that is named, sent, and never shown', async (t) => {
  const { url, requests } = await startModel(t)
  const env = { ...NO_FILE, MY_KEY: 'sk-very-secret' }
  const args = ['upstream', 'check', url, '--key-env', 'MY_KEY']
  const ran = await runCommand(undefined, args, { env })
  assert.equal(ran.code, 0)
  assert.ok(requests.every(({ headers }) => headers.authorization === 'Bearer sk-very-secret'))
  assert.match(ran.stdout, /api_key: \$\{MY_KEY\}/)
  assert.doesNotMatch(ran.stdout + ran.stderr, /sk-very-secret/)
  assert.equal((await check(url, '--key-env', 'NO_SUCH')).code, 1)
})

test('without an address the configured ones are checked, against what is sold of them', async (t) => {
  const fake = await startModel(t, { reasoning: 'apart', dialect: 'vllm' })
  const { url } = fake
  const path = join(makeTemporaryDirectory(t), 'parley.yaml')
  writeFileSync(
    path,
    `models:
  air:
    context_window: 4000
    upstreams: [{ name: gpu, kind: openai, url: '${url}', model: fake-model }]
`,
  )
  const env = { PARLEY_CONFIG: path, OLLAMA_HOST: 'http://127.0.0.1:1' }
  const ran = await runCommand(undefined, ['upstream', 'check'], { env })
  assert.equal(ran.code, 0)
  assert.match(ran.stdout, /^gpu \(air\)\n/)
  const text = ran.stdout.replaceAll(/\s+/g, ' ')
  assert.match(text, /2,000 tokens long, and air is sold with 4,000/)
  assert.match(text, /Set models\.air\.context_window to 2000/)
  assert.match(text, /Thinks, which air does not show/)
  assert.match(text, /continuous_usage: true/)
  assert.match(text, /Not looked at: air sells no tools/)
  assert.doesNotMatch(text, /For parley\.yaml/)
  fake.play(playModel())
  const json = await runCommand(undefined, ['upstream', 'check', '--json'], { env })
  const { upstreams } = json.json as { upstreams: { upstream: string; ok: boolean }[] }
  assert.deepEqual(
    upstreams.map(({ upstream, ok }) => [upstream, ok]),
    [['gpu (air)', true]],
  )
  assert.match(json.stdout, /Shows no reasoning, and none is sold of it/)
})

test('a check that is wrongly called says how it is used', async () => {
  for (const args of [['ftp://host'], ['--model', 'x'], ['http://h/v1', '--timeout', '0']]) {
    assert.equal((await runCommand(undefined, ['upstream', 'check', ...args])).code, 2)
  }
  const none = await runCommand(undefined, ['upstream', 'check'], {
    env: { ...NO_FILE, OLLAMA_HOST: 'http://127.0.0.1:1' },
  })
  assert.deepEqual([none.code, /No upstream is configured/.test(none.stdout)], [0, true])
  const broken = await runCommand(undefined, ['upstream', 'check'], {
    env: { ...NO_FILE, PORT: 'x' },
  })
  assert.deepEqual([broken.code, /PORT: must be/.test(broken.stderr)], [1, true])
})
