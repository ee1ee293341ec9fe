import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { arrows, type Arrow } from '../lint/room-arrows.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')

/** What the table says of a room: whom it may enter, and whose types alone. */
function readTable(): Map<string, string[]> {
  const rows = read('ARCHITECTURE.md').matchAll(
    /^\| \[?`(?<room>[\w-]+)(?:\.ts)?`(?:\]\(\S+\))? +\| .+? \| (?<enters>[^|]+?) +\|$/gm,
  )
  return new Map(
    [...rows].map(({ groups }) => [
      String(groups?.['room']),
      readNames(String(groups?.['enters'])).toSorted(),
    ]),
  )
}

/** "config, platform, types of models and payments" */
function readNames(cell: string): string[] {
  if (cell === 'nothing') return []
  const [whole = '', types] = cell.split(/[,;]? ?types of /)
  return [
    ...whole.split(', ').filter((name) => name !== ''),
    ...(types?.split(/, | and /).map((name) => `types of ${name}`) ?? []),
  ]
}

function describeArrow(arrow: Arrow): string {
  if (typeof arrow === 'string') return arrow
  return arrow.only === 'types' ? `types of ${arrow.to}` : arrow.to
}

test('the table of rooms in ARCHITECTURE.md has the arrows that the linter holds', () => {
  const held = Object.entries(arrows).map(([room, list]): [string, string[]] => [
    room,
    typeof list === 'string' ? [list] : list.map(describeArrow).toSorted(),
  ])
  assert.deepEqual(Object.fromEntries(readTable()), Object.fromEntries(held))
})

test("each room's README names the tables that it keeps", () => {
  const missing: string[] = []
  for (const path of globSync('src/*/tables.ts', { cwd: root })) {
    const [, body = ''] = /^export interface \w+Tables \{\n([^}]+)\}/m.exec(read(path)) ?? []
    const tables = [...body.matchAll(/^ +(\w+):/gm)].map(([, name]) => String(name))
    assert.ok(tables.length > 0, path)
    const readme = read(path.replace('tables.ts', 'README.md'))
    const absent = tables.filter((table) => !readme.includes(`\`${table}\``))
    missing.push(...absent.map((table) => `${path}: ${table}`))
  }
  assert.deepEqual(missing, [])
})

test('a step of one request names files that are there', () => {
  const [, life = ''] = read('ARCHITECTURE.md').split(/^## One request's life$/m)
  const [steps = ''] = life.split(/^## /m)
  const files = [...steps.matchAll(/`((?:api|chat|ledger|gate|models)\/[\w/-]+\.ts)`/g)]
  assert.ok(files.length > 8)
  for (const [, file] of files) assert.ok(read(`src/${file}`).length > 0)
})
