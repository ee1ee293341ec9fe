import { findOnPath } from '../support/find-on-path.ts'

/** What to do where there is none. */
export const NO_PROMETHEUS =
  'no Prometheus: install the package "prometheus", which brings promtool along'

/** CI says so where none is to be had. */
const NONE = 'none'

export interface Prometheus {
  readonly server: string
  /** What checks and tests rules. */
  readonly promtool: string
}

/** Those of this machine; undefined where the tests that need them are passed over. In CI they are missed. */
export function findPrometheus(env: NodeJS.ProcessEnv = process.env): Prometheus | undefined {
  const { PARLEY_PROMETHEUS: told, PATH, CI } = env
  if (told === NONE) return undefined
  const server = findOnPath(['prometheus'], PATH)
  const promtool = findOnPath(['promtool'], PATH)
  if (server !== undefined && promtool !== undefined) return { server, promtool }
  if (CI === 'true') throw new Error(NO_PROMETHEUS)
  return undefined
}
