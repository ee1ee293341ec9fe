import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNext } from './read-next.ts'

test('the pages of ours are gone on to', () => {
  for (const path of ['/account', '/interaction/aB3-_xyz', '/documents/R-2026-000001']) {
    assert.equal(readNext(path), path)
  }
})

const ELSEWHERE = [
  '',
  '/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/account',
  'https:/account',
  'https:account',
  'javascript:alert(1)',
  'data:text/html,x',
  'account',
  ' /account',
  '/account ',
  '/\taccount',
  '/\t/evil.example',
  '/account\n',
  '/account\r\nSet-Cookie: a=b',
  '/account\u0000',
  '/%2f%2fevil.example',
  '%2F%2Fevil.example',
  '/interaction/../\\evil.example',
  '/interaction/..//evil.example',
  '/interaction/x/../../sign-out',
  '/interaction/%2e%2e%2f%2fevil',
  '/interaction/a;url=https:evil.example',
  '/interaction/a"b',
  '/interaction/',
  `/interaction/${'a'.repeat(65)}`,
  '/account?next=//evil.example',
  '/account@evil.example',
  '/account.evil.example',
  '/accounts',
  '/documents/',
  '/documents/R-2026-000001/../../sign-out',
  '/documents/X-2026-000001',
  '/sign-out',
  '/api/auth/sign-out',
  '／／evil.example',
]

for (const path of ELSEWHERE) {
  test(`${JSON.stringify(path)} is not gone on to`, () => {
    assert.equal(readNext(path), undefined)
  })
}
