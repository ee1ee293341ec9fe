import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigFile, readConfig, type Environment } from '../../src/config.ts'
import { BRANDS, DEFAULT_LIMITS } from '../../src/models/catalogue.ts'
import { NO_FILE } from '../support/config-files.ts'
import { readCode, readTables } from './read-tables.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The page in each language, with what its tables are called there. */
const PAGES = [
  {
    path: 'docs/operate/configuration.md',
    service: 'variable',
    command: "command's variable",
    file: 'key',
  },
  {
    path: 'docs/pt/operate/configuration.md',
    service: 'variável',
    command: 'variável do comando',
    file: 'chave',
  },
] as const

type Rows = ReadonlyMap<string, readonly string[]>

/**
 * What the page says of each name that it lists in tables whose first column is called so. One that is
 * called "key of `seller`" lists what is within that.
 */
function readRows(path: string, column: string): Rows {
  const tables = readTables(readFileSync(join(ROOT, path), 'utf8'))
  const rows = tables.flatMap(({ header: [first = ''], rows: all }) => {
    const [, within = ''] = /`(.+)`$/.exec(first) ?? []
    if (first !== column && (within === '' || !first.startsWith(`${column} `))) return []
    return all.map((row) => [[within, readCode(row[0])].filter(Boolean).join('.'), row] as const)
  })
  assert.equal(new Map(rows).size, rows.length, `${path} lists something twice`)
  return new Map(rows)
}

/** The variables that sources read, by the one way in which they do: env['NAME']. */
function findVariables(...patterns: string[]): Set<string> {
  const files = globSync(patterns, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  assert.doesNotMatch(texts, /\benv\.[A-Z]|\} = env\b/, 'a variable is read in another way')
  return new Set([...texts.matchAll(/\benv\['(\w+)'\]/g)].map(([, name = '']) => name))
}

const ofService = findVariables('src/*.ts')
const ofCommand = findVariables('src/cli/*.ts')

test('the service asks for no variable that its source does not name', () => {
  const asked = new Set<string>()
  const given = { ...NO_FILE, SMTP_URL: 'smtp://localhost', PARLEY_UPSTREAM_URL: 'http://one' }
  const env = new Proxy<Environment>(given, {
    get(target, name) {
      asked.add(String(name))
      return Reflect.get(target, name)
    },
  })
  assert.throws(() => readConfig(env))
  assert.ok(asked.size > 15, `only ${[...asked].join()} were asked for`)
  for (const name of asked) assert.ok(ofService.has(name), name)
})

interface Bounds {
  readonly type?: string
  readonly const?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

interface Key {
  readonly schema: Bounds
  readonly path: string
}

/** Every key that a file can have, as the page writes it: models.BRAND.upstreams[].url. */
function listKeys(schema: object, path = ''): Key[] {
  const { properties, items, oneOf } = schema as {
    properties?: Record<string, object>
    items?: object
    oneOf?: object[]
  }
  if (oneOf) return oneOf.flatMap((one) => listKeys(one, path))
  if (items) return [{ schema, path }, ...listKeys(items, `${path}[]`)]
  if (!properties) return [{ schema, path }]
  return Object.entries(properties).flatMap(([name, child]) => {
    const isBrand = path === 'models' && (BRANDS as readonly string[]).includes(name)
    return listKeys(child, [path, isBrand ? 'BRAND' : name].filter(Boolean).join('.'))
  })
}

function writeLimit(brand: 'air' | 'prime' | 'nova', name: 'contextWindow' | 'maxOutputTokens') {
  return String(DEFAULT_LIMITS[brand][name])
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted()
}

for (const { path, service, command, file } of PAGES) {
  test(`${path} lists every variable that the service reads, and no other`, () => {
    assert.deepEqual(sorted(readRows(path, service).keys()), sorted(ofService))
  })

  test(`${path} lists every variable that only the command reads, and no other`, () => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const paragraph = /`npx parley`[^\n]*/.exec(text)?.[0] ?? ''
    const listed = new Set(readRows(path, command).keys())
    assert.deepEqual(sorted(listed), sorted(ofCommand.difference(ofService)))
    for (const name of ofCommand.intersection(ofService)) {
      assert.ok(paragraph.includes(`\`${name}\``), `${name} is not said to be the command's too`)
    }
  })

  test(`${path} lists every key of parley.yaml, and no other`, () => {
    const keys = listKeys(ConfigFile).map((key) => key.path)
    assert.deepEqual(sorted(readRows(path, file).keys()), sorted(keys))
  })

  test(`${path} states the bounds of every key of parley.yaml`, () => {
    const rows = readRows(path, file)
    for (const { schema, path: key } of listKeys(ConfigFile)) {
      const allowed = rows.get(key)?.[2] ?? ''
      const bounds: Bounds = schema
      const least = bounds.minimum ?? bounds.minItems ?? bounds.minLength
      const most = bounds.maximum ?? bounds.maxItems ?? bounds.maxLength
      if (most !== undefined) {
        assert.deepEqual(allowed.match(/\d+/g), [String(least), String(most)], key)
      }
      if (bounds.const !== undefined) assert.ok(allowed.includes(`\`${bounds.const}\``), key)
      if (bounds.type === 'boolean') assert.equal(allowed, '`true`, `false`', key)
    }
  })

  test(`${path} states the defaults that are`, () => {
    const rows = new Map([...readRows(path, service), ...readRows(path, file)])
    const config = readConfig(NO_FILE)
    const defaults: Record<string, readonly string[]> = {
      PORT: [String(config.port)],
      HOST: [config.host],
      LOG_LEVEL: [config.logLevel],
      OLLAMA_HOST: [new URL(config.ollamaUrl ?? '').host],
      'service.name': [config.serviceName],
      'service.identity': [config.identityText],
      'seller.vat_rate': [String(config.seller.vatRate)],
      'models.BRAND.context_window': BRANDS.map((one) => writeLimit(one, 'contextWindow')),
      'models.BRAND.max_output_tokens': BRANDS.map((one) => writeLimit(one, 'maxOutputTokens')),
    }
    for (const [name, values] of Object.entries(defaults)) {
      const written = [...(rows.get(name)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, one]) => one)
      assert.deepEqual(written, values, name)
    }
  })
}
