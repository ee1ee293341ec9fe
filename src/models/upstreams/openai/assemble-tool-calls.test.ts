import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToolCallAssembly } from './assemble-tool-calls.ts'

/** One `tool_calls` array a delta. */
function assemble(...deltas: readonly unknown[]) {
  const assembly = createToolCallAssembly()
  const added = deltas.map((delta) => assembly.add(delta))
  return { calls: assembly.finish(), added }
}

function named(name: string, args = ''): object {
  return { function: { name, arguments: args } }
}

function more(args: string): object {
  return { function: { arguments: args } }
}

test('a call comes in pieces under its index', () => {
  const { calls, added } = assemble(
    [{ index: 0, id: 'a', type: 'function', ...named('find') }],
    [{ index: 0, ...more('{"q"') }],
    [{ index: 0, ...more(':1}') }],
  )
  assert.deepEqual(calls, [{ id: 'a', name: 'find', arguments: '{"q":1}' }])
  assert.deepEqual(added, ['find', '{"q"', ':1}'])
})

test('interleaved calls keep apart by index, and the order in which they began', () => {
  const { calls } = assemble(
    [{ index: 1, id: 'b', ...named('second') }],
    [{ index: 0, id: 'a', ...named('first') }],
    [
      { index: 0, ...more('{}') },
      { index: 1, ...more('[]') },
    ],
  )
  assert.deepEqual(calls, [
    { id: 'b', name: 'second', arguments: '[]' },
    { id: 'a', name: 'first', arguments: '{}' },
  ])
})

test('an id counts for more than an index: repeated, it is the same call', () => {
  const { calls } = assemble(
    [{ index: 0, id: 'a', ...named('find', '{') }],
    [{ index: 7, id: 'a', ...more('}') }],
    [{ id: 'a', ...named('find') }],
  )
  assert.deepEqual(calls, [{ id: 'a', name: 'find', arguments: '{}' }])
})

test('a new id on the same index is another call, and what follows there is its', () => {
  const { calls } = assemble(
    [{ index: 0, id: 'a', ...named('find', '{}') }],
    [{ index: 0, id: 'b', ...named('find') }],
    [{ index: 0, ...more('[1]') }],
  )
  assert.deepEqual(
    calls.map((call) => call.arguments),
    ['{}', '[1]'],
  )
})

test('without ids, a name where one stands already begins another call', () => {
  const { calls } = assemble(
    [{ index: 0, ...named('find', '{"q":1}') }],
    [{ index: 0, ...named('find', '{"q":2}') }],
    [named('list')],
    [more('{}')],
  )
  assert.deepEqual(
    calls.map(({ name, arguments: args }) => name + args),
    ['find{"q":1}', 'find{"q":2}', 'list{}'],
  )
  const ids = calls.map(({ id }) => id)
  assert.equal(new Set(ids).size, 3)
  for (const id of ids) assert.match(id, /^call_\w+$/)
})

test('ids for the first call only: the others are told apart by index', () => {
  const { calls } = assemble(
    [{ index: 0, id: 'a', ...named('find') }],
    [{ index: 0, id: null, function: { name: null, arguments: '{"q":1}' } }],
    [{ index: 1, id: '', ...named('find') }],
    [{ index: 1, id: null, function: { name: null, arguments: '{"q":2}' } }],
  )
  assert.equal(calls[0]?.id, 'a')
  assert.match(calls[1]?.id ?? '', /^call_/)
  assert.deepEqual(
    calls.map((call) => call.arguments),
    ['{"q":1}', '{"q":2}'],
  )
})

test('empty arguments are an empty object', () => {
  for (const args of ['', null, undefined]) {
    const { calls } = assemble([{ id: 'a', function: { name: 'list', arguments: args } }])
    assert.equal(calls[0]?.arguments, '{}')
  }
})

test('arguments that a server has parsed already become text again', () => {
  const { calls } = assemble([{ id: 'a', function: { name: 'find', arguments: { q: 'é' } } }])
  assert.equal(calls[0]?.arguments, '{"q":"é"}')
})

test('arguments that are not JSON pass as the model wrote them', () => {
  const { calls } = assemble([{ id: 'a', ...named('find', '{"q": oops') }])
  assert.equal(calls[0]?.arguments, '{"q": oops')
})

test('what is not a list of calls adds nothing', () => {
  const { calls, added } = assemble(undefined, null, 'calls', {}, 7, [], [null, 'x', 3])
  assert.deepEqual(calls, [])
  assert.ok(added.every((text) => text === ''))
})

test('a piece without its function is no reason to fail', () => {
  const { calls } = assemble(
    [{ index: 0, id: 'a' }],
    [{ index: 0, function: null }],
    [{ index: 0, ...named('find') }],
  )
  assert.deepEqual(calls, [{ id: 'a', name: 'find', arguments: '{}' }])
})
