import assert from 'node:assert/strict'
import { join } from 'node:path'
import { startChild } from '../support/child.ts'
import { startChildService } from '../support/child-service.ts'
import { makeEngineHome, testWithEngine } from '../support/llama/test-with-engine.ts'
import { writeTinyModel } from '../support/llama/write-tiny-model.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

testWithEngine('a model that the command installed answers at the next start', async (t) => {
  const dataDir = makeEngineHome(t)
  const file = join(makeTemporaryDirectory(t), 'tiny.gguf')
  writeTinyModel(file)
  const command = startChild('src/cli/parley.ts', ['model', 'install', file, '--yes'], {
    env: { PARLEY_DATA_DIR: dataDir },
  })
  assert.equal(await command.ended, 0, command.stderr)
  assert.match(command.stderr, /^Installed tiny \(llama, context of 2,048 tokens\)\.$/m)

  const service = await startChildService({
    dataDir,
    env: { NODE_ENV: 'production', PARLEY_ALLOW_SANDBOX: '1' },
  })
  t.after(() => service.child.kill())
  assert.match(service.child.stdout, /air: tiny · prime: tiny · nova: tiny/)
  const { key } = await service.openAccount('ada')
  const response = await fetch(`${service.origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 5 }),
  })
  const reply = (await response.json()) as { usage: { completion_tokens: number } }
  assert.equal(response.status, 200)
  assert.equal(reply.usage.completion_tokens, 5)
})
