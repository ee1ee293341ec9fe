import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsvLine } from './write-csv-line.ts'

test('a line is what RFC 4180 says', () => {
  assert.equal(writeCsvLine(['a', 'b c', '']), 'a,b c,\r\n')
  assert.equal(writeCsvLine(['a,b', 'say "x"', 'two\nlines']), '"a,b","say ""x""","two\nlines"\r\n')
})

test('no text is a formula, and an amount stays a number', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx']) {
    assert.match(writeCsvLine([text]), /^"?'/, text)
  }
  assert.equal(writeCsvLine(['=A1,"x"']), '"\'=A1,""x"""\r\n')
  assert.equal(writeCsvLine([{ amount: '-12.50' }, 'a=b']), '-12.50,a=b\r\n')
})
