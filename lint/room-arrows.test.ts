import { deepEqual, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** What the linter has to say, by file and line; every other line of the fixtures is right. */
const expected: Readonly<Record<string, RegExp>> = {
  'client/src/wrong-arrow.ts:2': /'client' may not import 'platform' \(only: nothing\)/,
  'src/app.ts:2': /^'\.\/ledger\/index\.ts' leaves the room 'app': write '#ledger\/index\.ts'/,
  'src/chat/past-door.ts:1': /past the door of 'ledger': import from '#ledger\/index\.ts'/,
  'src/chat/past-door.ts:2': /past the door of 'platform': .+ '#platform\/store\/index\.ts'/,
  'src/chat/past-door.ts:4': /past the door of 'models'/,
  'src/chat/past-door.ts:5': /past the door of 'gate'/,
  'src/chat/relative-escape.ts:1': /leaves the room 'chat': write '#ledger\/index\.ts'/,
  'src/chat/relative-escape.ts:2': /leaves the room 'chat': write '#platform\/clock\.ts'/,
  'src/chat/relative-escape.ts:3': /is outside src/,
  'src/chat/wrong-client.ts:1': /'chat' may not import 'client'/,
  'src/cli/past-client.ts:2': /leaves the room 'cli': write 'parley-client'/,
  'src/cli/past-contract.ts:1': /past the door of 'api\/contract'/,
  'src/cli/past-contract.ts:2': /'cli' may not import 'api'/,
  'src/cli/static-main.ts:1':
    /'cli' may import 'serve' only where it is needed: write 'await import/,
  'src/config.ts:2': /'config' may import only types from 'models': write 'import type'/,
  'src/gate/unknown-room.ts:1': /There is no room 'vault'/,
  'src/gate/worker-escape.ts:1': /^'\.\.\/ledger\/worker\.ts' leaves the room 'gate'/,
  'src/ledger/wrong-arrow-in-type.ts:1': /'ledger' may not import 'gate'/,
  'src/ledger/wrong-arrow.test.ts:1': /'ledger' may not import 'gate'/,
  'src/ledger/wrong-arrow.ts:1': /'ledger' may not import 'models' \(only: platform\)/,
  'src/ledger/wrong-arrow.ts:2': /'ledger' may not import 'chat'/,
  'src/platform/wrong-arrow.ts:1': /'platform' may not import 'ledger' \(only: nothing\)/,
  'web/src/wrong-arrow.tsx:2': /'web' may not import 'ledger'/,
  'web/src/wrong-arrow.tsx:3': /'web' may import only types from 'api\/contract'/,
}

const found = lintFixtures()

test('the room rule finds every wrong import of the fixtures and blames no right one', () => {
  deepEqual(Object.keys(found).toSorted(), Object.keys(expected))
})

for (const [place, message] of Object.entries(expected)) {
  test(`the room rule says what is wrong in ${place}`, () => match(found[place] ?? '', message))
}

interface LintReport {
  readonly diagnostics: readonly {
    readonly filename: string
    readonly message: string
    readonly labels: readonly [{ readonly span: { readonly line: number } }]
  }[]
}

function lintFixtures(): Record<string, string> {
  const linter = fileURLToPath(import.meta.resolve('../node_modules/oxlint/bin/oxlint'))
  const { stdout } = spawnSync(
    process.execPath,
    [linter, '--config', 'oxlint.json', '--format', 'json'],
    { cwd: new URL('fixtures/', import.meta.url), encoding: 'utf8', timeout: 60_000 },
  )
  const { diagnostics } = JSON.parse(stdout) as LintReport
  return Object.fromEntries(
    diagnostics.map(({ filename, message, labels }) => [
      `${filename.replaceAll('\\', '/')}:${labels[0].span.line}`,
      message,
    ]),
  )
}
