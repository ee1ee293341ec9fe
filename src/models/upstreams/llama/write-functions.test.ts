import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeFunctions } from './write-functions.ts'

function tool(name: string) {
  return { name, description: '', parameters: undefined }
}

test('each tool has a name of its own that the engine takes, and callers get theirs back', () => {
  const own = ['get weather', 'get_weather', 'get\tweather', 'time']
  const { functions, names } = writeFunctions(own.map(tool))
  const engines = Object.keys(functions ?? {})
  assert.equal(engines.length, own.length)
  assert.ok(engines.every((name) => !/\s/.test(name)))
  assert.deepEqual(engines.map((name) => names.toCaller(name)).toSorted(), own.toSorted())
  assert.deepEqual(
    own.map((name) => names.toCaller(names.toEngine(name))),
    own,
  )
})

test('a tool that is no longer offered is still called by a name in the conversation', () => {
  const { functions, names } = writeFunctions([])
  assert.equal(functions, undefined)
  assert.equal(names.toEngine('old tool'), 'old_tool')
})
