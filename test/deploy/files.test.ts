import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { readDrain } from '../../src/drain-config.ts'
import { MAX_BODY_BYTES } from '../../src/api/http/read-json-body.ts'
import { DEFAULT_HTTP_BOUNDS } from '../../src/api/http/bounds.ts'
import { MAX_REPLY_MS } from '../../src/models/upstreams/reply-watch.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const MIB = 1024 * 1024

/** What a pattern finds in a file of deploy/, which must have it. */
function find(file: string, pattern: RegExp): string {
  const found = pattern.exec(read(`deploy/${file}`))?.[1]
  assert.ok(found !== undefined, `deploy/${file} has no ${pattern}`)
  return found
}

test('whoever stops the service waits until it has drained', () => {
  const { limitMs } = readDrain({}, [])
  const delaysMs = {
    image: Number(find('Containerfile', /PARLEY_DRAIN_DELAY_MS=(\d+)/)),
    set: Number(find('kubernetes/stateful-set.yaml', /DRAIN_DELAY_MS\n +value: '(\d+)'/)),
    unit: Number(find('systemd/parley@.service.d/replica.conf', /DRAIN_DELAY_MS=(\d+)/)),
  }
  const waitsMs = {
    image: 1_000 * Number(find('compose.yaml', /stop_grace_period: (\d+)s\n +mem_limit/)),
    set: 1_000 * Number(find('kubernetes/stateful-set.yaml', /GracePeriodSeconds: (\d+)/)),
    unit: 1_000 * Number(find('systemd/parley.service', /TimeoutStopSec=(\d+)/)),
  }
  for (const where of ['image', 'set', 'unit'] as const) {
    assert.ok(delaysMs[where] >= 5_000, `${where} gives load balancers no time`)
    // Charges wait ten seconds for a store that is away.
    assert.ok(waitsMs[where] >= delaysMs[where] + limitMs + 10_000, `${where} is killed too early`)
  }
})

test('nginx takes what the service takes, and waits as long', () => {
  for (const setting of ['client_max_body_size', 'client_body_buffer_size']) {
    const size = Number(find('nginx/parley.conf', new RegExp(`${setting} +(\\d+)m;`)))
    assert.ok(size * MIB > MAX_BODY_BYTES, setting)
  }
  const minutes = Number(find('nginx/parley.conf', /proxy_read_timeout +(\d+)m;/))
  assert.ok(minutes * 60_000 > MAX_REPLY_MS)
  const seconds = Number(find('kubernetes/ingress.yaml', /proxy-read-timeout: '(\d+)'/))
  assert.equal(seconds, minutes * 60)
  assert.equal(find('caddy/Caddyfile', /response_header_timeout (\d+)m/), String(minutes))
  // It closes idle connections before the service does: after 60 s, where nothing else is said.
  assert.doesNotMatch(read('deploy/nginx/replicas.conf'), /keepalive_timeout/)
  assert.ok(DEFAULT_HTTP_BOUNDS.idleTimeoutMs > 60_000)
})

test('no proxy sends a call again that was sent', () => {
  const tried = [...read('deploy/nginx/parley.conf').matchAll(/^ +proxy_next_upstream (.+);$/gm)]
  // Only what says whether a replica is up is asked elsewhere when it says no.
  assert.deepEqual(
    tried.map(([, when]) => when),
    ['error timeout', 'error timeout http_503'],
  )
  assert.equal(find('kubernetes/ingress.yaml', /proxy-next-upstream: (.+)/), 'error timeout')
})

test("compose has nginx's replicas as the file beside has them, but for their addresses", () => {
  const strip = (text: string): string =>
    text
      .replaceAll(/#.*$/gm, '')
      .replaceAll(/[\d.]+:\d+/g, 'REPLICA')
      .replaceAll(/\s+/g, ' ')
      .trim()
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    readonly configs: { readonly replicas: { readonly content: string } }
  }
  assert.equal(strip(compose.configs.replicas.content), strip(read('deploy/nginx/replicas.conf')))
})

test('what runs in containers can write to its volumes alone, as nobody', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  for (const name of ['parley-1', 'parley-2', 'nginx']) {
    const {
      read_only: isReadOnly,
      cap_drop: dropped,
      security_opt: options,
    } = compose.services[name] ?? {}
    assert.deepEqual(
      [isReadOnly, dropped, options],
      [true, ['ALL'], ['no-new-privileges:true']],
      name,
    )
  }
  const set = read('deploy/kubernetes/stateful-set.yaml')
  for (const wanted of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'drop: [ALL]']) {
    assert.ok(set.includes(wanted), wanted)
  }
  assert.match(read('deploy/Containerfile'), /^USER 65532:65532$/m)
})

test('every manifest can be read, and the list of them is whole', () => {
  const files = globSync('*.yaml', { cwd: join(ROOT, 'deploy/kubernetes') })
  const samples = ['ingress.yaml', 'secret.yaml', 'service-monitor.yaml']
  for (const file of files) {
    for (const document of parseAllDocuments(read(`deploy/kubernetes/${file}`))) {
      assert.deepEqual(document.errors, [], file)
    }
  }
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
    readonly resources: readonly string[]
  }
  const listed = [...resources, ...samples, 'kustomization.yaml']
  assert.deepEqual(new Set(files), new Set(listed))
})

test('every setting that they have is one that the service reads', () => {
  const sources = globSync('src/*.ts', { cwd: ROOT }).map(read).join('\n')
  const files = globSync('deploy/{nginx,caddy,systemd,kubernetes}/**/*', {
    cwd: ROOT,
    withFileTypes: true,
  }).filter((file) => file.isFile())
  const paths = files.map((file) => relative(ROOT, join(file.parentPath, file.name)))
  const settings = [...paths, 'deploy/Containerfile', 'deploy/compose.yaml'].flatMap((path) =>
    [...read(path).matchAll(/\bPARLEY_\w+/g)].map(([name]) => name),
  )
  assert.ok(settings.length > 20)
  const unknown = settings.filter((name) => !sources.includes(`'${name}'`))
  assert.deepEqual(unknown, [])
})

test('what the service imports is installed where development is left out', () => {
  const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >
  const imported = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      // Types alone are of no use to Node.
      ...read(file)
        .replaceAll(/^import type [^']+'[^']+'$/gm, '')
        .matchAll(/(?:\bfrom|\bimport\(|^import) ?'((?:@[\w.-]+\/)?\w[\w.-]*)[/']/gm),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
  assert.ok(imported.includes('fastify'))
  // Providers are installed by whoever wants them.
  const known = { ...dependencies, ...peerDependencies }
  const missing = new Set(imported.filter((name) => !(name in known)))
  // The client is a workspace, which is installed with us.
  assert.deepEqual(missing, new Set(['parley-client']))
})
