import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { chat, hello, openAccount, openAccountWith, operate } from '../support/call.ts'
import { startFakeUpstream, type Script } from '../support/fake-upstream/index.ts'
import { startService } from '../support/service.ts'
import { runCommand, startCommand } from './run-command.ts'

async function start(t: TestContext, script: Script) {
  const upstream = await startFakeUpstream()
  upstream.play(script)
  const { url } = upstream
  const service = await startService({
    upstreams: [{ kind: 'openai', name: 'fake', url, model: 'fake-model', apiKey: undefined }],
  })
  t.after(async () => {
    await service.close()
    await upstream.close()
  })
  const { key, accountId } = await openAccount(service)
  return { service, upstream, accountId, env: { PARLEY_API_KEY: key } }
}

const answer = { content: 'It scatters.', reasoning: 'Light and air.' }

test('chat with a message writes the streamed answer to stdout, and into a pipe nothing else', async (t) => {
  const { service, upstream, env } = await start(t, answer)
  const args = ['chat', '--brand', 'nova', '--system', 'Be brief.', 'Why is', 'the sky blue?']
  const { code, stdout, stderr } = await runCommand(service, args, { env })
  assert.deepEqual([code, stdout, stderr], [0, 'It scatters.\n', ''])
  const { body } = upstream.requests[0]!
  assert.equal(body.stream, true)
  assert.deepEqual(body.messages?.slice(1), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Why is the sky blue?' },
  ])
})

test('chat shows the answer as it arrives', async (t) => {
  const { promise: pause, resolve: goOn } = Promise.withResolvers<void>()
  const script = { content: 'Well, yes.', pauses: [{ at: 'after-delta-1', until: pause } as const] }
  const { service, env } = await start(t, script)
  const command = startCommand(service, ['chat', 'Is it?'], { env })
  await command.stdout.until('Well, ')
  assert.ok(!command.stdout.text.includes('yes'))
  goOn()
  assert.equal((await command.ended).stdout, 'Well, yes.\n')
})

test('chat reads its message from a pipe', async (t) => {
  const { service, upstream, env } = await start(t, answer)
  const { code } = await runCommand(service, ['chat'], { env, input: 'Two\nlines\n' })
  assert.equal(code, 0)
  assert.equal(upstream.requests[0]!.body.messages?.at(-1)?.content, 'Two\nlines')
  const nothing = await runCommand(service, ['chat'], { env, input: '\n' })
  assert.equal(nothing.code, 1)
  assert.match(nothing.stderr, /^Nothing to say/)
  const endless = await runCommand(service, ['chat'], { env, input: 'x'.repeat(500_000) })
  assert.equal(endless.stderr, 'The message on stdin is too long.\n')
})

test('on a terminal chat shows the reasoning, dimmed unless NO_COLOR is set, and the usage', async (t) => {
  const { service, env } = await start(t, answer)
  const args = ['chat', '--brand', 'nova', 'Why?']
  const terminals = ['stdout', 'stderr'] as const
  const shown = await runCommand(service, args, { env, terminals })
  const dim = (text: string) => `\u001B[2m${text}\u001B[22m`
  assert.equal(
    shown.stdout.replaceAll(dim(''), ''),
    `${['Light ', 'and ', 'air.'].map(dim).join('')}\n\nIt scatters.\n`,
  )
  assert.match(shown.stderr, /^stop · \d+ prompt \+ \d+ completion = \d+ tokens\n$/)
  const plain = await runCommand(service, args, { env: { ...env, NO_COLOR: '1' }, terminals })
  assert.equal(plain.stdout, 'Light and air.\n\nIt scatters.\n')
})

test('an answer cannot steer the terminal that shows it', async (t) => {
  const { service, env } = await start(t, {
    deltas: ['a\u001B]0;owned\u0007', '\u001B', '[2Jb\n\tc'],
  })
  const shown = await runCommand(service, ['chat', 'Hi'], { env, terminals: ['stdout'] })
  assert.equal(shown.stdout, 'a]0;owned[2Jb\n\tc\n')
})

test('an answer that breaks off fails the command; one that was cut short says so', async (t) => {
  const { service, upstream, env } = await start(t, {
    content: 'one two three',
    fault: { kind: 'cut', at: 'after-delta-1' },
  })
  const broken = await runCommand(service, ['chat', 'Count'], { env })
  assert.deepEqual([broken.code, broken.stdout], [1, 'one \n'])
  assert.match(broken.stderr, /^The reply broke off: the model failed\. Ask again\. \[req_\w+\]\n$/)
  upstream.play({ content: 'one', finish: 'length' })
  const short = await runCommand(service, ['chat', 'Count'], { env })
  assert.equal(short.code, 0)
  assert.match(short.stderr, /^length · /)
})

test('what may work a moment later is tried again, and what is waited for is told', async (t) => {
  const { service, upstream, env } = await start(t, [
    { fault: { kind: 'status', status: 500 } },
    { content: 'Now it works.' },
  ])
  const { code, stdout, stderr } = await runCommand(service, ['chat', 'Hi'], { env })
  assert.deepEqual([code, stdout, upstream.requests.length], [0, 'Now it works.\n', 2])
  assert.match(stderr, /\[upstream_error, req_\w+\] Trying again in 1 s; Ctrl-C stops\.\n$/)
})

test('Ctrl-C ends the wait for another try, and leaves the conversation', async (t) => {
  const { service, env } = await start(t, answer)
  const terminals = ['stdin', 'stderr'] as const
  const command = startCommand(service, ['chat'], { env, terminals })
  const key = env.PARLEY_API_KEY
  for (let asked = 0; asked < 10; asked += 1) await chat(service, key, 'air', hello)
  command.stdin.write('Hello?\r')
  await command.stderr.until('Trying again in 60 s')
  command.stdin.write('\u0003')
  await command.stderr.until('stopped')
  command.stdin.write('\u0004')
  const { code, stdout, stderr } = await command.ended
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, /Tier 1 allows 10 requests a minute; .* \[rate_limit_rpm, req_\w+\]/)
})

test('the way out that a refusal names is open: a reply may be made shorter', async (t) => {
  const { service, upstream } = await start(t, answer)
  const { key } = await openAccountWith(service, '0.01')
  const env = { PARLEY_API_KEY: key }
  const dear = await runCommand(service, ['chat', 'Hi'], { env })
  assert.equal(dear.code, 1)
  assert.match(dear.stderr, /Top up, or lower max_tokens\. \[insufficient_balance, req_\w+\]\n$/)
  const args = ['chat', '--max-tokens', '100', 'Hi']
  assert.equal((await runCommand(service, args, { env })).code, 0)
  assert.equal(upstream.requests[0]!.body.max_tokens, 100)
  assert.equal((await runCommand(service, ['chat', '--max-tokens', 'few', 'Hi'], { env })).code, 2)
})

test('in a conversation each message carries those before it, and a failed one leaves no trace', async (t) => {
  const { service, upstream, env } = await start(t, [
    { content: 'First.' },
    { content: 'Se', fault: { kind: 'cut', at: 'after-delta-1' } },
    { content: 'Second.' },
  ])
  const input = `one\n\nlost\n${'x'.repeat(200_001)}\ntwo\n`
  const { code, stdout, stderr } = await runCommand(service, ['chat', '--system', 'S'], {
    env,
    input,
    terminals: ['stdin'],
  })
  assert.deepEqual([code, stdout], [0, 'First.\nSe\nSecond.\n'])
  assert.match(
    stderr,
    /Ctrl-D ends.*stop · .*Ask again\. \[req_\w+\].*\[invalid_request, req_\w+\].*stop · /s,
  )
  assert.deepEqual(upstream.requests.at(-1)!.body.messages?.slice(1), [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'First.' },
    { role: 'user', content: 'two' },
  ])
})

test('Ctrl-C stops the reply under way, and only without one the conversation', async (t) => {
  const { service, upstream, env } = await start(t, [
    { content: 'on and on', fault: { kind: 'hang', at: 'after-delta-1' } },
    { content: 'Fine.' },
  ])
  const terminals = ['stdin', 'stdout', 'stderr'] as const
  const command = startCommand(service, ['chat'], { env, terminals })
  command.stdin.write('Talk\r')
  await command.stdout.until('on ')
  command.stdin.write('\u0003')
  await command.stderr.until('stopped')
  await upstream.requests[0]!.aborted
  command.stdin.write('Enough\r')
  await command.stderr.until('stop · ')
  command.stdin.write('\u0003')
  const { code, stdout } = await command.ended
  assert.deepEqual([code, stdout], [0, 'on \nFine.\n'])
})

test('chat asks for a key, and tells what the service says of a wrong one', async (t) => {
  const { service, env, accountId } = await start(t, answer)
  const keyless = await runCommand(service, ['chat', 'Hi'])
  assert.equal(keyless.code, 1)
  assert.match(keyless.stderr, /^No API key: give --key or set PARLEY_API_KEY\./)
  const wrong = await runCommand(service, ['chat', '--key', 'svc_live_x', 'Hi'], { env })
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /\[invalid_api_key, req_\w+\]\nThe key is that of --key, .* parley key create ACCOUNT --name chat\n$/,
  )
  const spaced = await runCommand(service, ['chat', '--key', 'svc live', 'Hi'])
  assert.match(spaced.stderr, /^The token or key has a space/)
  await operate(service, 'PATCH', `/accounts/${accountId}`, { suspended: true })
  const suspended = await runCommand(service, ['chat', 'Hi'], { env })
  assert.match(suspended.stderr, /suspended.* \[invalid_api_key, req_\w+\]\n/)
  assert.equal((await runCommand(service, ['chat', '--brand', 'sky', 'Hi'], { env })).code, 2)
})
