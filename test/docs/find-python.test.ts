import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPython, NO_PYTHON } from './find-python.ts'

test('a Python is the one that is told; without one CI fails, unless it says that none can be had', () => {
  assert.equal(findPython({ PARLEY_PYTHON: process.execPath, CI: 'true' }), process.execPath)
  assert.equal(findPython({}), undefined)
  assert.equal(findPython({ CI: '' }), undefined)
  assert.equal(findPython({ PARLEY_PYTHON: 'none', CI: 'true' }), undefined)
  assert.throws(() => findPython({ CI: 'true' }), { message: NO_PYTHON })
  assert.throws(() => findPython({ PARLEY_PYTHON: '/nowhere/python' }), { code: 'ENOENT' })
})
