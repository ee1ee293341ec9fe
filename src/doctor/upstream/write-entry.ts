import { stringify } from 'yaml'
import type { Brand } from '#models/index.ts'
import type { Traits } from './check-upstream.ts'

export interface EntrySubject {
  readonly url: string
  readonly model: string
  /** The variable that has its key; undefined where it takes none. */
  readonly keyVariable: string | undefined
}

/** What goes into parley.yaml for a server, with what was found out of it. */
export function writeEntry({ url, model, keyVariable }: EntrySubject, traits: Traits): string {
  const { contextWindow, continuousUsage, sendReasoning } = traits
  const upstream = {
    name: nameFor(url),
    kind: 'openai',
    url,
    model,
    ...(keyVariable !== undefined && { api_key: `\${${keyVariable}}` }),
    ...(continuousUsage && { continuous_usage: true }),
    ...(sendReasoning && { send_reasoning: true }),
  }
  const limits = contextWindow === undefined ? {} : { context_window: contextWindow }
  const entry = { models: { [fitting(traits)]: { ...limits, upstreams: [upstream] } } }
  const missing =
    contextWindow === undefined
      ? '# Add context_window: what the server was started with; it does not tell.\n'
      : ''
  return missing + stringify(entry)
}

/** The brand that promises no more than what was seen. */
function fitting({ reasoning, callsTools }: Traits): Brand {
  if (!callsTools) return 'air'
  return reasoning === 'none' ? 'prime' : 'nova'
}

/** As a name in parley.yaml may be: the host is what tells servers apart. */
function nameFor(url: string): string {
  return new URL(url).host.slice(0, 64)
}
