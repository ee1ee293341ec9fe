import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { findPages, readPage } from './find-pages.ts'
import { findPython, NO_PYTHON } from './find-python.ts'
import { needsPython, runPage } from './run-page.ts'

/** Some pages alone: `PARLEY_SNIPPETS=quickstart,billing`. */
const wanted = (process.env['PARLEY_SNIPPETS'] ?? '').split(',')

for (const path of findPages().filter((page) => wanted.some((name) => page.includes(name)))) {
  test(`every block of ${path} does what it says`, async (t) => {
    const page = readPage(path)
    assert.ok(page.path)
    await runPage(page, { directory: makeTemporaryDirectory(t), python: findPython() })
    if (findPython() !== undefined || !page.snippets.some(needsPython)) return
    // The rest has run: that its Python has not is counted, and told.
    await t.test(`the Python of ${path}`, (python) => python.skip(NO_PYTHON))
  })
}
