import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ConfigError, readConfig, type Config, type Environment } from '../../src/config.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

/** Without a file: whatever lies where the tests run is not read. */
export const NO_FILE = { PARLEY_CONFIG: '/dev/null' }

export function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig({ ...NO_FILE, ...env })
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    for (const problem of error.problems) assert.ok(error.message.includes(`  - ${problem}`))
    return error.problems
  }
  return []
}

export function writeYaml(t: TestContext, yaml: string): string {
  const path = join(makeTemporaryDirectory(t), 'parley.yaml')
  writeFileSync(path, yaml)
  return path
}

export function readYaml(t: TestContext, yaml: string, env: Environment = {}): Config {
  return readConfig({ ...env, PARLEY_CONFIG: writeYaml(t, yaml) })
}

/** The file's problems, each without the file's name, which every one of them must begin with. */
export function problemsOfYaml(t: TestContext, yaml: string, env: Environment = {}): string[] {
  const path = writeYaml(t, yaml)
  return problemsOf({ ...env, PARLEY_CONFIG: path }).map((problem) => {
    assert.ok(problem.startsWith(`${path}: `), problem)
    return problem.slice(path.length + 2)
  })
}
