import { accessSync, constants } from 'node:fs'

/** What to do where there is none. */
export const NO_PYTHON =
  'no Python: make a venv, install test/docs/requirements.txt in it, and name its python in PARLEY_PYTHON'

/** CI says so where none is to be had. */
const NONE = 'none'

/**
 * The Python that pages are run with; undefined where their Python is passed over. In CI it is missed.
 */
export function findPython(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PARLEY_PYTHON: path = '', CI } = env
  if (path === '' && CI === 'true') throw new Error(NO_PYTHON)
  if (path === '' || path === NONE) return undefined
  accessSync(path, constants.X_OK)
  return path
}
