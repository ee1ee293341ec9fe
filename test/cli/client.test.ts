import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { CreatedOidcClient } from '#api/contract/index.ts'
import { operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const URIS = ['https://chat.example.com/callback', 'http://127.0.0.1:3000/callback']
const create = (kind: string) => [
  'client',
  'create',
  '--name=Example Chat',
  `--kind=${kind}`,
  ...URIS.flatMap((uri) => ['--redirect-uri', uri]),
]

async function make(kind: 'public' | 'confidential'): Promise<CreatedOidcClient> {
  const { json } = await runCommand(service, [...create(kind), '--json'])
  return json as CreatedOidcClient
}

test('client create prints the secret alone on stdout, and says that it is shown this once', async () => {
  const { code, stdout, stderr } = await runCommand(service, create('confidential'))
  assert.equal(code, 0)
  assert.match(stdout, /^[\w-]{43}\n$/)
  const [, id] =
    /^Keep it now: the secret is shown this once\. The client id is (app_\w+)\.\n$/.exec(stderr) ??
    []
  const { json } = await operate(service, 'GET', `/clients/${id}`)
  assert.deepEqual(
    [json.name, json.kind, json.redirect_uris],
    ['Example Chat', 'confidential', URIS],
  )
})

test('client create shows what a public app is known by, which has no secret', async () => {
  const { code, stdout, stderr } = await runCommand(service, create('public'))
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^client id {6}app_\w+$/m)
  assert.match(stdout, /^kind {11}public$/m)
  assert.equal((await make('public')).client_secret, null)
})

test('client list and show never have a secret', async () => {
  const { client_id: id, client_secret: secret } = await make('confidential')
  const listed = await runCommand(service, ['client', 'list', '--limit', '1'])
  const [header, row] = listed.stdout.split('\n')
  assert.match(header ?? '', /^CLIENT ID +NAME +KIND +CREATED +REDIRECT URIS$/)
  assert.match(row ?? '', new RegExp(`^${id}  Example Chat  confidential  .*${URIS.join(' ')}$`))
  assert.match(listed.stderr, /--all/)
  const shown = await runCommand(service, ['client', 'show', id])
  assert.match(shown.stdout, new RegExp(`^client id {6}${id}$`, 'm'))
  const json = await runCommand(service, ['client', 'show', id, '--json'])
  for (const { stdout } of [listed, shown, json]) assert.ok(!stdout.includes(String(secret)))
})

test('client update changes what it is told to, and wants to be told something', async () => {
  const { client_id: id } = await make('public')
  const uri = 'com.example.app:/callback'
  const args = ['client', 'update', id]
  const updated = await runCommand(service, [...args, '--redirect-uri', uri, '--json'])
  const { name, redirect_uris: uris } = updated.json as CreatedOidcClient
  assert.deepEqual([name, uris], ['Example Chat', [uri]])
  const renamed = await runCommand(service, [...args, '--name', 'Other'])
  assert.match(renamed.stdout, /^name {11}Other$/m)
  assert.equal((await runCommand(service, args)).code, 2)
  const wrong = await runCommand(service, [...args, '--redirect-uri', 'http://a.example/'])
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /^redirect_uris\[0\]: must be a whole address .*\[invalid_request\]\n$/,
  )
})

test('client rotate-secret shows another one, and client delete takes the app away', async () => {
  const { client_id: id, client_secret: secret } = await make('confidential')
  const rotated = await runCommand(service, ['client', 'rotate-secret', id])
  assert.match(rotated.stdout, /^[\w-]{43}\n$/)
  assert.notEqual(rotated.stdout.trim(), secret)
  const deleted = await runCommand(service, ['client', 'delete', id])
  assert.deepEqual([deleted.code, deleted.stdout], [0, `Deleted ${id}.\n`])
  for (const name of ['show', 'delete', 'rotate-secret']) {
    const { code, stderr } = await runCommand(service, ['client', name, id])
    assert.deepEqual([code, stderr], [1, 'There is no client with this id. [not_found]\n'])
  }
})
