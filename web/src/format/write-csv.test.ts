import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsv } from './write-csv.ts'

test('figures come out as they are, and text is quoted where it must be', () => {
  assert.equal(
    writeCsv(
      ['day', 'cost_eur'],
      [
        ['2026-11-21', '-0.00000026'],
        ['a, "b"\nc', 1_234],
      ],
    ),
    'day,cost_eur\r\n2026-11-21,-0.00000026\r\n"a, ""b""\nc",1234\r\n',
  )
})

test('text that a spreadsheet would run is defused', () => {
  assert.equal(
    writeCsv(['name'], [['=HYPERLINK("x")'], ['-1+2'], ['@now'], ['-12.50']]),
    'name\r\n"\'=HYPERLINK(""x"")"\r\n\'-1+2\r\n\'@now\r\n-12.50\r\n',
  )
})
