import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { drawQrCode } from './draw-qr-code.ts'

test('the path covers exactly the dark modules', () => {
  const text = 'otpauth://totp/Parley:ana%40example.com?secret=ABCDEFGHIJKLMNOP&issuer=Parley'
  const { size, path } = drawQrCode(text)
  const covered = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    covered[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  }
  assert.deepEqual(covered, encode(text, { ecc: 'M', border: 4 }).data)
  assert.ok(path.length > 500)
})
