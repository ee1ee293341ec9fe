import { deepEqual } from 'node:assert/strict'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const maxFileLines = 400
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** The walls between rooms and the sizes have no exceptions; the linter must hold them. */
const guards: Readonly<Record<string, unknown>> = {
  'rooms/arrows': 'error',
  'import/no-default-export': 'error',
  'max-lines-per-function': ['error', { max: 60, IIFEs: true }],
}
/** Nobody imports the command, and every file of platform is a door of its own. */
const doorless = ['cli', 'platform']

const files = globSync('{src,test,bench,lint,web,site,client,deploy}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', 'lint/fixtures'],
})
  .toSorted()
  .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))

test(`a file ends at ${maxFileLines} lines`, () => {
  const long = files.filter(({ text }) => text.trimEnd().split('\n').length > maxFileLines)
  deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('the linter ends a function at 60 lines, refuses default exports and guards the rooms', () => {
  const { rules } = readLintConfig()
  const held = Object.keys(guards).map((rule) => [rule, rules[rule]])
  deepEqual(Object.fromEntries(held), guards)
})

test('no file excuses itself from a guard, and from another rule only with its reason', () => {
  const withoutReason = /(?:ox|es)lint-disable(?!.* -- \S)/
  const fromGuard = new RegExp(`(?:ox|es)lint-disable.*(?:${Object.keys(guards).join('|')})`)
  deepEqual([...findLines(withoutReason), ...findLines(fromGuard)], [])
})

test('files and folders are named in kebab-case', () => {
  const names = files.flatMap(({ path }) =>
    path.split('/').map((part) => part.replace(/(\.[a-z]+)+$/, '')),
  )
  deepEqual([...new Set(names.filter((name) => !kebabCase.test(name)))], [])
})

test('no folder is a drawer for whatever has no place', () => {
  const drawers = new Set(['utils', 'helpers', 'common', 'services'])
  const folders = new Set(files.flatMap(({ path }) => dirname(path).split('/')))
  deepEqual([...folders.intersection(drawers)], [])
})

test('no mark of unfinished work is left', () => {
  // The brackets keep this line from finding itself.
  const marks = /\b(?:T[O]DO|F[I]XME|X[X]X)\b|not i[m]plemented|Not i[m]plemented/
  deepEqual(findLines(marks), [])
})

test('every test runs: none is skipped, put off or run alone', () => {
  deepEqual(findLines(/\b(?:test|it|describe|suite)\.(?:skip|only|todo)\b/), [])
})

test('every room says in its README what it owns, and has a door', () => {
  const rooms = readdirSync(`${root}/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`${root}/src/${entry.name}`).length > 0)
    .map(({ name }) => name)
  const wanted = rooms.flatMap((room) => [
    `src/${room}/README.md`,
    ...(doorless.includes(room) ? [] : [`src/${room}/index.ts`]),
  ])
  deepEqual(
    wanted.filter((path) => !existsSync(`${root}/${path}`)),
    [],
  )
})

function findLines(wrong: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => `${path}:${index + 1} ${line.trim()}`)
      .filter((place) => wrong.test(place)),
  )
}

function readLintConfig(): { readonly rules: Readonly<Record<string, unknown>> } {
  const text = readFileSync(`${root}/.oxlintrc.json`, 'utf8').replaceAll(/(?<=^|\s)\/\/.*$/gm, '')
  return JSON.parse(text) as { rules: Record<string, unknown> }
}
