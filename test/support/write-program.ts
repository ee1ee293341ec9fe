import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporaryDirectory } from './temporary-directory.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A program in a folder of its own, in which the packages of this repository are installed. */
export function writeProgram(
  t: { after(remove: () => void): void },
  name: string,
  text: string,
): string {
  const directory = makeTemporaryDirectory(t)
  symlinkSync(packages, join(directory, 'node_modules'))
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
