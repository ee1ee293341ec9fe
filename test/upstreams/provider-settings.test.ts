import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { ProviderOptions } from '#models/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { providerKinds, setProviderScene } from './provider-scene.ts'

type Wire = Readonly<Record<string, unknown>>
type Settings = Partial<ProviderOptions>

/** What is sent of thinking and of the reply's length; `max_tokens` is 8 000. */
const thinking: readonly {
  readonly kind: ProviderOptions['kind']
  readonly settings: Settings
  readonly sent: Wire
}[] = [
  {
    kind: 'anthropic',
    settings: { thinkingTokens: 2_000 },
    sent: { max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
  },
  {
    kind: 'anthropic',
    settings: { model: 'claude-opus-4-6', thinkingEffort: 'low' },
    sent: { max_tokens: 8_000, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
  },
  { kind: 'anthropic', settings: {}, sent: { max_tokens: 8_000 } },
  {
    kind: 'google',
    settings: { thinkingTokens: 2_000 },
    sent: {
      generationConfig: {
        maxOutputTokens: 8_000,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 2_000 },
      },
    },
  },
  {
    kind: 'google',
    settings: { thinkingEffort: 'high' },
    sent: {
      generationConfig: {
        maxOutputTokens: 8_000,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
      },
    },
  },
  {
    kind: 'bedrock',
    settings: { thinkingTokens: 2_000 },
    sent: {
      inferenceConfig: { maxTokens: 8_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    },
  },
]

for (const { kind, settings, sent } of thinking) {
  test(`${kind} with ${JSON.stringify(settings)}: thoughts are part of max_tokens`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind, { settings })
    provider.play({ events: recorded.reasoning })
    assert.equal((await scene.ask({ max_tokens: 8_000 }, 'nova')).status, 200)
    const body = provider.requests[0]?.body ?? {}
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(body[name], value, name)
    if (!('thinking' in sent)) assert.equal(body['thinking'], undefined)
  })
}

test('Claude is not asked to think on where its tools have answered: its signed thoughts are gone', async (t) => {
  const settings = { thinkingTokens: 2_000 }
  const { scene, recorded, provider } = await setProviderScene(t, 'anthropic', { settings })
  provider.play({ events: recorded.text })
  // Arguments need not parse, and the provider takes only an object.
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a' } }
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
  ]
  assert.equal((await scene.ask({ messages, max_tokens: 8_000 })).status, 200)
  const { thinking: asked, messages: told } = provider.requests[0]?.body ?? {}
  assert.equal(asked, undefined)
  const [, { content }] = told as [Wire, { content: Wire[] }]
  assert.deepEqual(content[0]?.['input'], { arguments: '{"a' })
})

test('bedrock: without a key a request is signed, and the secret is not sent', async (t) => {
  const settings = {
    apiKey: undefined,
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: 'a-session',
  }
  const { scene, recorded, provider } = await setProviderScene(t, 'bedrock', { settings })
  provider.play({ events: recorded.text })
  assert.equal((await scene.ask()).status, 200)
  const { headers } = provider.requests[0] ?? {}
  assert.match(
    headers?.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /,
  )
  assert.equal(headers?.['x-amz-security-token'], 'a-session')
  assert.doesNotMatch(JSON.stringify(headers), /wJalrXUtnFEMI/)
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('where its package is not installed, the start ends and says how to install it', (t) => {
  const place = makeTemporaryDirectory(t)
  cpSync(join(ROOT, 'src'), join(place, 'src'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(place, 'package.json'))
  mkdirSync(join(place, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@ai-sdk') continue
    symlinkSync(join(ROOT, 'node_modules', name), join(place, 'node_modules', name))
  }
  const upstreams = `[ { name: one, kind: anthropic, model: m, api_key: k } ]`
  writeFileSync(join(place, 'parley.yaml'), `models: { prime: { upstreams: ${upstreams} } }`)
  const { status, stderr } = spawnSync(process.execPath, ['src/main.ts'], {
    cwd: place,
    env: { PARLEY_OPS_PORT: '0', OLLAMA_HOST: 'http://127.0.0.1:1', LOG_LEVEL: 'error' },
    encoding: 'utf8',
    timeout: 50_000,
  })
  assert.equal(status, 1, stderr)
  const wanted = readManifest().peerDependencies['@ai-sdk/anthropic']
  assert.match(
    stderr,
    /kind "anthropic" needs the package @ai-sdk\/anthropic, which is not installed/,
  )
  assert.ok(stderr.includes(`npm install --no-save --omit=dev @ai-sdk/anthropic@${wanted}`))
})

test('a plain installation has none of the packages, and the one that is named is the one tested', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = readManifest()
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const providers = Object.entries(peerDependencies).filter(([name]) => name.startsWith('@ai-sdk/'))
  assert.equal(providers.length, providerKinds.length)
  for (const [name, version] of providers) {
    assert.equal(peerDependenciesMeta[name]?.optional, true, name)
    assert.equal(devDependencies[name], version)
    const locked = packages[`node_modules/${name}`]
    assert.deepEqual([locked?.version, locked?.dev], [version, true])
  }
})

function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>
    readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
    readonly devDependencies: Readonly<Record<string, string>>
  }
}
