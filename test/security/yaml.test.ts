import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ConfigError, readConfig, type Config } from '../../src/config.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

function readYaml(t: TestContext, yaml: string): Config {
  const path = join(makeTemporaryDirectory(t), 'parley.yaml')
  writeFileSync(path, yaml)
  return readConfig({ PARLEY_CONFIG: path })
}

function problemsOf(t: TestContext, yaml: string): readonly string[] {
  try {
    readYaml(t, yaml)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

/** Nine of nine of nine…: little to write down, more than any memory to write out. */
function writeBomb(open: string, close: string, name: (index: number) => string): string {
  const level = (depth: number): string => {
    const item = depth === 0 ? 'lol' : `*a${depth - 1}`
    return Array.from({ length: 9 }, (_, index) => name(index) + item).join(', ')
  }
  const lines = Array.from({ length: 12 }, (_, depth) => {
    return `a${depth}: &a${depth} ${open}${level(depth)}${close}`
  })
  return lines.join('\n')
}

const hostile: Readonly<Record<string, string>> = {
  'a member named __proto__': '__proto__: { service: { name: evil } }',
  'one within a section': 'service: { __proto__: { name: evil, polluted: true } }',
  'a constructor': 'constructor: { prototype: { polluted: true } }',
  'a merge key': 'service: { <<: { name: evil } }',
  'a merge of an alias': 'service: &s { name: evil }\nmodels: { <<: *s }',
  'a merge of __proto__': 'service: { <<: { __proto__: { polluted: true } } }',
  'a member twice': 'service: { name: one, name: two }',
  'code under a tag': "service: { identity: !!js/function 'function () {}' }",
  'a tag of its own': 'service: { identity: !evil text }',
  'a list that a tag makes a map': 'service: !!omap [ name: evil ]',
  'a map that a tag makes a set': 'service: !!set { name }',
  'bytes under a tag': 'service: { identity: !!binary aGVsbG8= }',
  'an alias within what it stands for': 'service: &s { name: *s }',
  'an alias that is all there is': '&a [*a]',
  'a variable that only a prototype has': `service: { identity: "\${toString}" }`,
  'two documents': 'service: { name: one }\n---\nservice: { name: two }',
  'a list of aliases of lists of aliases': writeBomb('[', ']', () => ''),
  'a map of aliases of maps of aliases': writeBomb('{', '}', (index) => `k${index}: `),
  'a long text again and again': `a: &a "${'x'.repeat(1e6)}"\nb: [${'*a,'.repeat(90)}]`,
  'lists 100000 levels deep': `service: ${'['.repeat(1e5)}${']'.repeat(1e5)}`,
  'maps 100000 levels deep': `service: ${'{a: '.repeat(1e5)}${'}'.repeat(1e5)}`,
  'blocks 50000 levels deep': `${'- '.repeat(5e4)}x`,
  'a number without end': 'models: { air: { context_window: 1e999 } }',
  'a number beyond all numbers': `models: { air: { context_window: ${'9'.repeat(10_000)} } }`,
  'no number': 'models: { air: { context_window: .nan } }',
}

for (const [what, yaml] of Object.entries(hostile)) {
  test(`a file with ${what} is refused with what is wrong, at once`, (t) => {
    const before = [process.memoryUsage().heapUsed, performance.now()] as const
    const problems = problemsOf(t, yaml)
    assert.ok(problems.length > 0)
    for (const problem of problems) assert.match(problem, /parley\.yaml: \S/)
    assert.ok(performance.now() - before[1] < 10_000)
    assert.ok(process.memoryUsage().heapUsed - before[0] < 512 * 1024 * 1024)
    assert.equal('polluted' in {}, false)
    assert.equal(Object.hasOwn(Object.prototype, 'name'), false)
  })
}
