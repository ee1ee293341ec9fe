import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_SCREENS } from '../../contract/index.ts'
import { readNext } from './read-next.ts'

test('the pages of ours are gone on to', () => {
  const paths = [
    '/account',
    '/interaction/aB3-_xyz',
    '/documents/R-2026-000001',
    '/console',
    '/console/keys',
    '/console/balance?topup=top_01a1ff47bd6a7147a91b9f95184f2ff0',
    '/console/requests?from=2026-11-01&status=429&model=svc-air-v1.2',
    '/console/operator/accounts/acc_01a1ff47bd6a7147a91b9f95184f2ff0',
    '/console?notice=keyRevoked',
    ...CONSOLE_SCREENS.filter((screen) => !screen.includes('$')),
  ]
  for (const path of paths) assert.equal(readNext(path), path)
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
  '/console/',
  '/console//evil.example',
  '/console/../sign-out',
  '/console/./keys',
  '/console/keys/',
  '/console/api',
  '/console/api?x=y',
  '/console/api/person',
  '/console/Keys',
  '/console/nothing',
  '/console/assets',
  '/console/operator/accounts/$accountId',
  '/console/operator/accounts/a/b',
  '/console/operator/accounts/..',
  `/console/operator/accounts/${'a'.repeat(65)}`,
  '/console?',
  '/console?next=//evil.example',
  '/console?next=https://evil.example',
  '/console?a=%0d%0aSet-Cookie:b',
  '/console?a=b#c',
  '/console?a="b',
  '/console?a=b\\n',
  `/console?${'a'.repeat(501)}`,
  '/console#//evil.example',
  '/console@evil.example',
  '/console.evil.example',
  '/consoles',
  '/console;a=b',
  '/console\\\\evil',
  '/console/%61pi',
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
