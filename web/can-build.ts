import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Whether there is what builds; where there is not, says what that means for whatever was to be built. */
export function canBuild(what: string, built: string): boolean {
  try {
    createRequire(import.meta.url).resolve('@tailwindcss/vite')
    return true
  } catch {
    const state = existsSync(built)
      ? 'what was built before stays'
      : 'nothing was built before: run "npm ci" with development packages first'
    process.stdout.write(`${what} cannot be built without development packages; ${state}.\n`)
    return false
  }
}
