import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { runCommand } from './run-command.ts'
import { end, openSignInWorld, readAddress } from './sign-in-world.ts'

test('login signs a person in by their browser, and whoami tells who and on which plan', async (t) => {
  const world = await openSignInWorld(t)
  const login = await world.login()
  assert.deepEqual([login.code, login.stderr.includes('error')], [0, false], login.stderr)
  assert.equal(
    login.stdout,
    `Signed in at ${world.service.origin}. See who you are there: parley whoami\n`,
  )
  assert.match(login.page, /You are signed in.*You can close this window/)
  const whoami = await world.run(['whoami'])
  assert.deepEqual(whoami, {
    code: 0,
    stderr: '',
    stdout: 'email  ana@example.com\nname   Ana\nplan   FREE\npaid   no\n',
  })
})

test('a plan that changes is seen by the next whoami', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  const { json } = await operate(world.service, 'GET', `/accounts?email=${world.email}`)
  await operate(world.service, 'PATCH', `/accounts/${json.data[0].id}`, { plan: 'PRO' })
  const { stdout } = await world.run(['whoami', '--json'])
  const person = JSON.parse(stdout) as Record<string, unknown>
  assert.deepEqual([person['email'], person['plano']], [world.email, 'PRO'])
  assert.equal(person['plano_pago'], true)
})

test('credentials are in one file for its owner alone, and no output has a token', async (t) => {
  const world = await openSignInWorld(t)
  const login = await world.login()
  const [file, directory] = [lstatSync(world.path), lstatSync(world.directory)]
  assert.deepEqual([file.mode & 0o777, directory.mode & 0o777], [0o600, 0o700])
  assert.deepEqual(readdirSync(world.directory), ['credentials.json'])
  const { access_token: access, refresh_token: token, ...rest } = world.kept()
  assert.deepEqual(
    [rest.issuer, rest.client_id, rest.expires_at > Date.now()],
    [world.service.origin, 'parley-cli', true],
  )
  const whoami = await world.run(['whoami', '--json'])
  for (const text of [login.stdout, login.stderr, login.page, whoami.stdout, whoami.stderr]) {
    assert.ok(!text.includes(access) && !text.includes(token))
  }
})

test('who says no in the browser is not signed in, and reads so in both places', async (t) => {
  const world = await openSignInWorld(t)
  const { code, stdout, stderr, page } = await world.login({ decision: 'deny' })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /\nYou did not allow it in the browser: you are not signed in\.\n$/)
  assert.match(page, /You are not signed in.*You can close this window/)
  assert.equal((await world.run(['whoami'])).code, 1)
})

test('what comes with another state, path, method or host is no answer; the right one still is', async (t) => {
  const world = await openSignInWorld(t)
  const child = world.start(['login', '--no-browser'])
  const callback = await world.browse(child)
  const wrong = new URL(callback)
  wrong.searchParams.set('state', 'x'.repeat(43))
  const answer = await fetch(wrong)
  assert.equal(answer.status, 400)
  assert.match(await answer.text(), /This is another sign-in/)
  wrong.searchParams.delete('state')
  assert.equal((await fetch(wrong)).status, 400)
  assert.equal((await fetch(new URL('/', callback))).status, 404)
  assert.equal((await fetch(callback, { method: 'POST' })).status, 404)
  // The browser would send this Host to a name that was made to lead here.
  const { port } = callback
  assert.equal((await fetch(callback.href.replace('127.0.0.1', 'localhost'))).status, 404, port)
  assert.equal((await fetch(callback)).status, 200)
  assert.equal((await end(child)).code, 0)
})

test('a code that is not good is told in the browser and in the terminal', async (t) => {
  const world = await openSignInWorld(t)
  const child = world.start(['login', '--no-browser'])
  const callback = await world.browse(child)
  callback.searchParams.set('code', 'a-code-of-nobody')
  const page = await fetch(callback)
  assert.equal(page.status, 400)
  assert.match(await page.text(), /You are not signed in.*\(invalid_grant\)/)
  const { code, stderr } = await end(child)
  assert.equal(code, 1)
  assert.match(stderr, /did not sign you in \(invalid_grant\)\. Run parley login again\.\n$/)
})

test('where nobody comes, login ends by itself, and by Ctrl-C at once', async (t) => {
  const world = await openSignInWorld(t)
  const late = await world.run(['login', '--no-browser', '--timeout', '1'])
  assert.equal(late.code, 1)
  assert.match(late.stderr, /\nNobody signed in within 1 seconds\. Run parley login again\.\n$/)
  const child = world.start(['login', '--no-browser'])
  await readAddress(child)
  child.process.kill('SIGINT')
  const stopped = await end(child)
  assert.equal(stopped.code, 1)
  assert.match(stopped.stderr, /\nStopped before anybody had signed in\.\n$/)
})

test('login opens the browser with the address as one argument, and goes on where there is none', async (t) => {
  const world = await openSignInWorld(t)
  const tools = makeTemporaryDirectory(t)
  const heard = join(tools, 'heard')
  writeFileSync(
    join(tools, 'xdg-open'),
    `#!/bin/sh\nprintf '%s|' "$@" > ${heard}.new\n/bin/mv ${heard}.new ${heard}\n`,
  )
  chmodSync(join(tools, 'xdg-open'), 0o755)
  const child = world.start(['login'], { PATH: tools })
  const address = await readAddress(child)
  assert.equal((await fetch(await world.browse(child))).status, 200)
  assert.equal((await end(child)).code, 0)
  if (process.platform === 'linux') {
    const text = await untilRead(heard)
    assert.equal(text, `${address.href}|`)
  }
  const without = world.start(['login'], { PATH: makeTemporaryDirectory(t) })
  assert.equal((await fetch(await world.browse(without))).status, 200)
  assert.equal((await end(without)).code, 0)
})

/** The browser is a process that nobody waits for. */
async function untilRead(path: string): Promise<string> {
  const untilMs = Date.now() + 10_000
  for (;;) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (Date.now() > untilMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

test('credentials are kept behind no link', async (t) => {
  const world = await openSignInWorld(t)
  const elsewhere = join(makeTemporaryDirectory(t), 'elsewhere')
  writeFileSync(elsewhere, '{}')
  mkdirSync(world.directory)
  symlinkSync(elsewhere, world.path)
  for (const args of [['login', '--no-browser'], ['whoami'], ['logout']]) {
    const { code, stdout, stderr } = await world.run(args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^\S+credentials\.json is a link, which credentials are not kept behind/)
  }
  assert.equal(readFileSync(elsewhere, 'utf8'), '{}')
})

test('a place where people sign in elsewhere, or unencrypted, is told in a sentence', async (t) => {
  const service = await serveFor(t, { issuer: 'https://auth.example.com' })
  const at = (env: Readonly<Record<string, string>>) =>
    runCommand(service, ['login', '--no-browser'], { env: { HOME: '/nowhere', ...env } })
  const elsewhere = await at({})
  assert.equal(
    elsewhere.stderr,
    `People of ${service.origin} sign in at https://auth.example.com: if you trust it, set PARLEY_AUTH_URL to that.\n`,
  )
  const plain = await at({ PARLEY_AUTH_URL: 'http://auth.example.com' })
  assert.match(plain.stderr, /^http:\/\/auth\.example\.com is not encrypted/)
  const none = await at({ PARLEY_AUTH_URL: 'auth.example.com' })
  assert.match(none.stderr, /^PARLEY_AUTH_URL is "auth\.example\.com": set it to/)
  const homeless = await at({ HOME: '' })
  assert.match(homeless.stderr, /^There is no place for credentials: set HOME/)
  for (const { code, stdout } of [elsewhere, plain, none, homeless]) {
    assert.deepEqual([code, stdout], [1, ''])
  }
})

test('credentials that cannot be kept are told in the browser too, and nothing is left', async (t) => {
  const world = await openSignInWorld(t)
  const child = world.start(['login', '--no-browser'])
  const callback = await world.browse(child)
  // Whatever user the tests run as, a file is no directory.
  writeFileSync(world.directory, 'in the way')
  const page = await fetch(callback)
  assert.equal(page.status, 400)
  assert.match(await page.text(), /You are not signed in.*cannot be written \(EEXIST\)/)
  const { code, stdout, stderr } = await end(child)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /cannot be written \(EEXIST\): see to its owner and mode\.\n$/)
})
