import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/peers', import.meta.url))
const WHAT = fileURLToPath(new URL('./packages', import.meta.url))
const TIMEOUT_MS = 900_000

/**
 * Installs a peer once: what `packages/<name>` has is copied, and the commands run there, one after
 * the other. Returns where; throws with the last words of the one that fails.
 */
export function install(name: string, commands: readonly (readonly string[])[]): string {
  const directory = join(CACHE, name)
  const done = join(directory, 'installed')
  if (existsSync(done)) return directory
  mkdirSync(directory, { recursive: true })
  cpSync(join(WHAT, name), directory, { recursive: true })
  for (const [program = '', ...args] of [...commands, ['touch', done]]) {
    const options = { cwd: directory, encoding: 'utf8', timeout: TIMEOUT_MS } as const
    const { status, stderr, error } = spawnSync(program, args, options)
    if (status === 0) continue
    const why = error ? error.message : stderr.trim().split('\n').slice(-3).join(' ')
    throw new Error(`not installed: ${program} ${args.join(' ')}: ${why}`)
  }
  return directory
}
