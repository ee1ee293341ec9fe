import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { printRecord, printTable, type Column } from './print-table.ts'

interface Row {
  readonly name: string | null
  readonly amount: string | null
  readonly atMs: number | null
}

const columns: readonly Column<Row>[] = [
  { title: 'name', read: ({ name }) => name },
  { title: 'amount', kind: 'euros', read: ({ amount }) => amount },
  { title: 'at', kind: 'time', read: ({ atMs }) => atMs },
]

test('columns line up, amounts by their points, and what is missing is a dash', () => {
  const rows = [
    { name: 'Zoë 👩‍🔬', amount: '12.50', atMs: Date.UTC(2026, 10, 21) + 987 },
    { name: null, amount: '-0.000001', atMs: null },
    { name: 'Bob', amount: null, atMs: 0 },
  ]
  assert.equal(
    print((output) => printTable(output, columns, rows, 'None.')),
    [
      'NAME    AMOUNT €  AT',
      'Zoë 👩‍🔬  12.500000  2026-11-21T00:00:00Z',
      '-      -0.000001  -',
      'Bob            -  1970-01-01T00:00:00Z',
      '',
    ].join('\n'),
  )
})

test('a table without rows is a sentence', () => {
  assert.equal(
    print((output) => printTable(output, columns, [], 'None.')),
    'None.\n',
  )
})

test('a record has a line for each figure, an amount with its unit', () => {
  const row = { name: 'a\tb', amount: '1.00', atMs: null }
  assert.equal(
    print((output) => printRecord(output, columns, row)),
    'name    a�b\namount  1.00 €\nat      -\n',
  )
})

function print(write: (output: Writable) => void): string {
  let text = ''
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      text += piece.toString()
      done()
    },
  })
  write(output)
  return text
}
