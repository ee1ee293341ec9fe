import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeFunctions } from './write-functions.ts'
import { writeHistory } from './write-history.ts'

const { names } = writeFunctions([{ name: 'look up', description: '', parameters: undefined }])

test('a call and its result are one, and what follows them is of the same turn', () => {
  const call = (id: string) => ({ id, name: 'look up', arguments: '{"city":"Porto"}' })
  const history = writeHistory(
    [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, toolCalls: [call('1'), call('2')] },
      { role: 'tool', toolCallId: '2', content: 'rain' },
      { role: 'tool', toolCallId: '1', content: '{"degrees":21}' },
      { role: 'assistant', content: 'Wait.', toolCalls: [call('1')] },
      { role: 'tool', toolCallId: '1', content: '22' },
    ],
    names,
  )
  const made = { type: 'functionCall', name: 'look_up', params: { city: 'Porto' } }
  assert.deepEqual(history, [
    { type: 'system', text: 'Be kind.' },
    { type: 'user', text: 'Hi' },
    {
      type: 'model',
      response: [
        { ...made, result: { degrees: 21 }, startsNewChunk: true },
        { ...made, result: 'rain', startsNewChunk: false },
        'Wait.',
        { ...made, result: 22, startsNewChunk: true },
      ],
    },
  ])
})

test('where a person spoke last, the model has a turn to begin', () => {
  assert.deepEqual(writeHistory([{ role: 'user', content: 'Hi' }], names).at(-1), {
    type: 'model',
    response: [],
  })
})

test('a name that the engine does not take comes back as the caller wrote it', () => {
  const { functions } = writeFunctions([{ name: 'a b', description: 'x', parameters: undefined }])
  assert.deepEqual(functions, { a_b: { description: 'x', params: undefined } })
  assert.equal(names.toCaller('look_up'), 'look up')
})
