import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** What to do where there is none. */
export const NO_CHROMIUM =
  'no Chromium: install the package "chromium", or say where one is with CHROMIUM_PATH'

/** The path of a Chromium of this machine; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: told, PATH: path = '' } = env
  if (told !== undefined && told !== '') return told
  const paths = NAMES.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)))
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
