import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ENGINE, engineDirectory, findEngine, type LlamaOptions } from '#models/index.ts'
import { makeTemporaryDirectory } from '../temporary-directory.ts'
import { writeTinyModel, type TinyModel } from './write-tiny-model.ts'

/** Where `.ci/run` installs the engine: beside what an installation has, and not a part of it. */
const INSTALLED = fileURLToPath(new URL('../../../node_modules/.cache/engine', import.meta.url))

const NO_ENGINE =
  `${ENGINE.package} is not installed: npm install --prefix node_modules/.cache/engine --no-save ` +
  `--omit=optional --ignore-scripts ${ENGINE.package}@${ENGINE.version} and its build for this system`

const { CI, PARLEY_LLAMA } = process.env

/** A test on the real engine; where there is none it is passed over, but not where all must be tested. */
export function testWithEngine(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    const isInstalled = findEngine(makeEngineHome(t)) !== undefined
    if (isInstalled) return run(t)
    if (CI === 'true' && PARLEY_LLAMA !== 'none') throw new Error(NO_ENGINE)
    t.skip(NO_ENGINE)
  })
}

/** A data directory with the engine in it, where it is installed. */
export function makeEngineHome(scope: Parameters<typeof makeTemporaryDirectory>[0]): string {
  const dataDir = makeTemporaryDirectory(scope)
  symlinkSync(INSTALLED, engineDirectory(dataDir))
  return dataDir
}

/** An upstream that runs a tiny model, written for it. One thread: more of them wait for each other. */
export function makeTinyUpstream(
  scope: Parameters<typeof makeTemporaryDirectory>[0],
  model: TinyModel = {},
  settings: Partial<LlamaOptions> = {},
): LlamaOptions {
  const dataDir = makeEngineHome(scope)
  const path = join(dataDir, 'tiny.gguf')
  writeTinyModel(path, model)
  return { kind: 'llama', name: 'tiny', path, dataDir, threads: 1, ...settings }
}
