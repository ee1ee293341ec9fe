import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of these names that a path like PATH has as a program. */
export function findProgram(names: readonly string[], path: string): string | undefined {
  const paths = names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)))
  return paths.find(canRun)
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
