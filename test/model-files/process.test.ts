import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { ENGINE, enginePlatformPackage } from '../../src/models/index.ts'
import { startChild } from '../support/child.ts'
import { findOnPath } from '../support/find-on-path.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { startRegistry } from './fake-engine.ts'
import { startHub } from './fake-hub.ts'
import { makeGguf } from './gguf-bytes.ts'

const content = makeGguf({ weightBytes: 3_000_000 })

test('the command installs engine and model, is interrupted, and goes on where it was', async (t) => {
  const [hub, registry] = [await startHub(t, content), await startRegistry(t)]
  const directory = makeTemporaryDirectory(t)
  const dataDir = join(directory, 'data')
  const env = {
    HOME: directory,
    npm_config_cache: join(directory, 'npm'),
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
    PARLEY_DATA_DIR: dataDir,
  }
  const parley = (...args: string[]) => startChild('src/cli/parley.ts', ['model', ...args], { env })

  hub.deeds = [{ stallAfter: 2_000_000 }]
  const first = parley('install', hub.url, '--yes')
  t.after(() => first.kill())
  await first.complained(/Downloading the model/)
  const path = join(dataDir, 'models', 'tiny.gguf')
  while (!existsSync(`${path}.part`) || statSync(`${path}.part`).size < 2_000_000) await sleep(10)
  first.process.kill('SIGINT')
  assert.equal(await first.ended, 1)
  assert.match(
    first.stderr,
    /Ending the installation\. Once more ends it at once\.\nInterrupted\. What has come is kept \(2 MB, /,
  )
  assert.deepEqual(registry.asked.filter((name) => name.includes('/-/')).toSorted(), [
    `${enginePlatformPackage()}/-/x.tgz`,
    `${ENGINE.package}/-/x.tgz`,
  ])
  const packages = readdirSync(join(dataDir, 'engine', 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  )
  assert.deepEqual(packages, [dirname(enginePlatformPackage() ?? ''), ENGINE.package])

  registry.asked.length = 0
  const second = parley('install', hub.url, '--yes')
  assert.equal(await second.ended, 0, second.stderr)
  assert.match(second.stderr, /^Here +2 MB of it, from a download that was broken off$/m)
  assert.equal(second.stdout, `${path}\n`)
  assert.deepEqual(readFileSync(path), content)
  assert.equal(hub.requests.at(-1)?.range, 'bytes=2000000-')
  assert.deepEqual(registry.asked, [], 'the engine is there')

  const listed = parley('list')
  assert.equal(await listed.ended, 0)
  assert.match(listed.stdout, /^tiny +3 MB .* used$/m)
})

test('an engine that npm cannot install leaves none, and npm says why', async (t) => {
  const [hub, registry] = [await startHub(t, content), await startRegistry(t)]
  const directory = makeTemporaryDirectory(t)
  const install = (PATH: string) =>
    startChild('src/cli/parley.ts', ['model', 'install', hub.url, '--yes'], {
      env: {
        PATH,
        HOME: directory,
        npm_config_cache: join(directory, 'npm'),
        npm_config_registry: `${registry.url}/nothing`,
        npm_config_update_notifier: 'false',
        PARLEY_DATA_DIR: join(directory, 'data'),
      },
    })
  const failed = install(process.env['PATH'] ?? '')
  assert.equal(await failed.ended, 1)
  assert.match(failed.stderr, /npm could not install the engine:\n.*404/s)
  assert.ok(!existsSync(join(directory, 'data', 'engine')))

  // Beside this Node there is none, or it would be found there.
  if (findOnPath(['npm'], dirname(process.execPath)) !== undefined) return
  const without = install(directory)
  assert.equal(await without.ended, 1)
  assert.match(
    without.stderr,
    /There is no npm on the path.*\n\n {2}npm install --prefix .*engine --omit=optional/,
  )
})
