import { findOnPath } from '../find-on-path.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** What to do where there is none. */
export const NO_CHROMIUM =
  'no Chromium: install the package "chromium", or say where one is with CHROMIUM_PATH'

/** The path of a Chromium of this machine; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: told, PATH } = env
  return told !== undefined && told !== '' ? told : findOnPath(NAMES, PATH)
}
