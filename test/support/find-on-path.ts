import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first program of these names that the path has; undefined where it has none. */
export function findOnPath(names: readonly string[], path = ''): string | undefined {
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
