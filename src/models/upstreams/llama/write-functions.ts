import type { Tool } from '../../prompt.ts'
import type { EngineFunctions } from './engine-package.ts'
import { writeParameters } from './write-parameters.ts'

/** The engine takes no name with a blank in it; callers get their own back. */
export interface FunctionNames {
  toEngine(name: string): string
  toCaller(name: string): string
}

/** Tools as the engine's functions; undefined where there are none. */
export function writeFunctions(tools: readonly Tool[]): {
  readonly functions: EngineFunctions | undefined
  readonly names: FunctionNames
} {
  const toEngine = (name: string): string => name.replaceAll(/\s/g, '_')
  const own = new Map(tools.map(({ name }) => [toEngine(name), name]))
  const names = { toEngine, toCaller: (name: string) => own.get(name) ?? name }
  if (tools.length === 0) return { functions: undefined, names }
  const entries = tools.map(({ name, description, parameters }) => [
    toEngine(name),
    { description, params: parameters && writeParameters(parameters) },
  ])
  return { functions: Object.fromEntries(entries) as EngineFunctions, names }
}
