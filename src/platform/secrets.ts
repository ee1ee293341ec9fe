import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret kept in a file that only its owner can read; made at the first call. */
export function readOrCreateSecret(directory: string, name: string): string {
  const path = join(directory, name)
  const kept = readSecret(directory, name)
  if (kept !== undefined) return kept
  const secret = randomBytes(32).toString('base64url')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}

export function readSecret(directory: string, name: string): string | undefined {
  try {
    const secret = readFileSync(join(directory, name), 'utf8').trim()
    if (secret === '') {
      throw new Error(`${join(directory, name)} is empty: delete it, and a new one is made`)
    }
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
