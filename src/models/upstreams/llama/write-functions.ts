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
  const own = new Map<string, string>()
  const engines = new Map<string, string>()
  for (const { name } of tools) {
    let engine = withoutBlanks(name)
    // Two that differ only by what was replaced are still two.
    while (own.has(engine) && own.get(engine) !== name) engine += '_'
    own.set(engine, name)
    engines.set(name, engine)
  }
  // A conversation may have calls in it of tools that are no longer offered.
  const toEngine = (name: string): string => engines.get(name) ?? withoutBlanks(name)
  const names = { toEngine, toCaller: (name: string) => own.get(name) ?? name }
  if (tools.length === 0) return { functions: undefined, names }
  const entries = tools.map(({ name, description, parameters }) => [
    toEngine(name),
    { description, params: parameters && writeParameters(parameters) },
  ])
  return { functions: Object.fromEntries(entries) as EngineFunctions, names }
}

function withoutBlanks(name: string): string {
  return name.replaceAll(/\s/g, '_')
}
