import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CONSOLE_SCREENS } from '#api/contract/index.ts'

const web = fileURLToPath(new URL('../../web', import.meta.url))

/** Compressed by gzip, in KB of 1 000 bytes: what the first screen may load, and what each one adds. */
const FIRST_SCRIPTS = 170
const FIRST_STYLES = 15
const SCREEN = 30
const SCREENS: Readonly<Record<string, number>> = {
  'src/screens/playground/playground-screen.tsx': 40,
}

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly isDynamicEntry?: boolean
}

const manifest = JSON.parse(readFileSync(`${web}/dist/.vite/manifest.json`, 'utf8')) as Readonly<
  Record<string, Chunk>
>

/** A chunk and all that it cannot run without. */
function findAll(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const one of chunkOf(name).imports ?? []) findAll(one, found)
  return found
}

function chunkOf(name: string): Chunk {
  const chunk = manifest[name]
  assert.ok(chunk, `${name} was not built`)
  return chunk
}

function weigh(files: Iterable<string>): number {
  const bytes = [...files].map((file) => readFileSync(`${web}/dist/${file}.gz`).length)
  return bytes.reduce((sum, one) => sum + one, 0) / 1_000
}

const entry = findAll('index.html')
const scripts = (names: Iterable<string>): string[] => [...names].map((name) => chunkOf(name).file)

test('the first screen is as light as was promised', (t) => {
  const home = findAll('src/screens/home/home-screen.tsx')
  const script = weigh(scripts(entry.union(home)))
  const style = weigh([...entry.union(home)].flatMap((name) => chunkOf(name).css ?? []))
  t.diagnostic(`${script.toFixed(1)} KB of scripts, ${style.toFixed(1)} KB of styles`)
  assert.ok(script <= FIRST_SCRIPTS, `${script} KB of scripts`)
  assert.ok(style <= FIRST_STYLES, `${style} KB of styles`)
})

test('each other screen adds no more than was promised', (t) => {
  const screens = Object.keys(manifest).filter((name) => chunkOf(name).isDynamicEntry)
  assert.ok(screens.length >= CONSOLE_SCREENS.length)
  for (const name of screens) {
    const added = weigh(scripts(findAll(name).difference(entry)))
    t.diagnostic(`${name}: ${added.toFixed(1)} KB`)
    assert.ok(added <= (SCREENS[name] ?? SCREEN), `${name}: ${added} KB`)
  }
})

test('what only operators see is in no bundle of anybody else', () => {
  const others = Object.keys(manifest).filter(
    (name) => name.startsWith('src/screens/') && !name.includes('/operator/'),
  )
  assert.ok(others.length > 5)
  const loaded = others.flatMap((name) => [...findAll(name)]).concat(...entry)
  assert.deepEqual(
    loaded.filter((name) => /operator/.test(chunkOf(name).src ?? chunkOf(name).file)),
    [],
  )
})

test('the console has a route for each address that is served, and for no other', () => {
  const source = readFileSync(`${web}/src/routes.tsx`, 'utf8')
  const routes = [...source.matchAll(/screen\(\s*'([^']+)'/g)].map(([, path]) => path)
  assert.deepEqual(routes, [...CONSOLE_SCREENS])
})

test('nothing of the service is in the bundle: its contract is known by types alone', () => {
  const built = scripts(Object.keys(manifest)).filter((file) => file.endsWith('.js'))
  for (const file of built) {
    const text = readFileSync(`${web}/dist/${file}`, 'utf8')
    assert.ok(!text.includes('x-meaning'), `${file} has a schema of the contract`)
  }
})
