import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { findPages, readPage } from './find-pages.ts'
import { makePlace, root } from './make-place.ts'

/** As strict as a new project for Node is. */
const OPTIONS = {
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext'],
    types: ['node'],
    module: 'nodenext',
    moduleDetection: 'force',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['guides'],
}

test('the TypeScript of the guides has no type that is wrong', (t) => {
  const directory = makeTemporaryDirectory(t)
  // Each page is a folder, and each block that runs a module of its own: lines are those of the page.
  const work = makePlace(directory)
  const places = findPages().map((path) => writeModules(path, join(work, 'guides')))
  assert.ok(places.flat().length > 5)
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(OPTIONS))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout: told } = spawnSync(process.execPath, [tsc, '-p', work], {
    cwd: work,
    encoding: 'utf8',
  })
  assert.equal(told, '')
})

function writeModules(path: string, guides: string): string[] {
  return readPage(path).snippets.flatMap(({ language, use, file, text, line }) => {
    if (language !== 'ts' || (use.kind !== 'run' && use.kind !== 'write')) return []
    const place = join(guides, path, file ?? `line-${line}.ts`)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, `${'\n'.repeat(line - 1)}${text}\n`)
    return [place]
  })
}
