import type { Tool } from 'parley-client'

export type ToolsProblem = 'noJson' | 'noList' | 'noName'

export type ReadTools =
  | { readonly kind: 'tools'; readonly tools: Tool[] }
  | { readonly kind: 'problem'; readonly problem: ToolsProblem }

/** A list of {name, description, parameters}; each may stand in its {type, function} as well. */
export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { kind: 'tools', tools: [] }
  const given = parse(text)
  if (given === undefined) return { kind: 'problem', problem: 'noJson' }
  if (!Array.isArray(given)) return { kind: 'problem', problem: 'noList' }
  const tools = given.map(readTool)
  return tools.every((tool) => tool !== undefined)
    ? { kind: 'tools', tools }
    : { kind: 'problem', problem: 'noName' }
}

function readTool(given: unknown): Tool | undefined {
  const described = hasFunction(given) ? given.function : given
  if (typeof described !== 'object' || described === null) return undefined
  const { name } = described as { readonly name?: unknown }
  if (typeof name !== 'string' || name === '') return undefined
  // What else is wrong with it the service says best.
  return { type: 'function', function: described as Tool['function'] }
}

function hasFunction(given: unknown): given is { readonly function: unknown } {
  return typeof given === 'object' && given !== null && 'function' in given
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      name: 'get_weather',
      description: 'The weather in a city now',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
    },
  ],
  undefined,
  2,
)
