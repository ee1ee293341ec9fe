import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const readVersion = (path: string) => (JSON.parse(read(path)) as { version: string }).version
const readDocument = (path: string) =>
  (JSON.parse(read(path)) as { info: { version: string } }).info.version

const version = readVersion('package.json')
const changelog = read('CHANGELOG.md')

test('one version is told wherever one is', () => {
  const { version: locked, packages } = JSON.parse(read('package-lock.json')) as {
    readonly version: string
    readonly packages: Readonly<Record<string, { readonly version?: string }>>
  }
  const command = execFileSync(process.execPath, ['src/cli/parley.ts', '--version'], { cwd: root })
  assert.deepEqual(
    {
      lock: locked,
      lockOfPackage: packages['']?.version,
      client: readVersion('client/package.json'),
      document: readDocument('openapi.json'),
      release: readDocument('test/contract/breaking/released-openapi.json'),
      releasedStore: readVersion('test/upgrade/released-store.json'),
      changelog: listReleases()[0]?.version,
      command: String(command).trim(),
    },
    {
      lock: version,
      lockOfPackage: version,
      client: version,
      document: version,
      release: version,
      releasedStore: version,
      changelog: version,
      command: version,
    },
  )
})

test('the changelog tells what is not released yet, then each release with its day, newest first', () => {
  const [unreleased, ...releases] = headings(2)
  assert.equal(unreleased, '[Unreleased]')
  for (const heading of releases) assert.match(heading, /^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/)
  const days = listReleases().map(({ day }) => day)
  assert.deepEqual(days, days.toSorted().toReversed())
  for (const day of days) assert.equal(new Date(day).toISOString().slice(0, 10), day)
})

test('the changelog sorts changes by the kinds that Keep a Changelog knows', () => {
  const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  assert.deepEqual(
    headings(3).filter((heading) => !kinds.includes(heading)),
    [],
  )
})

function headings(level: number): string[] {
  return [...changelog.matchAll(new RegExp(`^#{${level}} (.+)$`, 'gm'))].map(([, text]) =>
    String(text),
  )
}

function listReleases(): { readonly version: string; readonly day: string }[] {
  const found = changelog.matchAll(/^## \[(?<version>\d\S*)\] - (?<day>\S+)$/gm)
  return [...found].map(({ groups }) => ({
    version: String(groups?.['version']),
    day: String(groups?.['day']),
  }))
}
