import type { Model } from '../catalogue.ts'
import type { LaneSettings } from '../lane-settings.ts'
import type { LlamaOptions } from './llama/llama-options.ts'
import { createLlamaUpstream } from './llama/llama-upstream.ts'
import type { LlamaPool } from './llama/llama-pool.ts'
import { createOpenaiUpstream, type OpenaiOptions } from './openai/openai-upstream.ts'
import type { ProviderOptions } from './provider/provider-options.ts'
import { createSimulatedUpstream, type SimulatedOptions } from './simulated.ts'
import type { Upstream } from './upstream.ts'

/** Where an upstream is and how it is spoken to; with the lane's settings, all that is configured. */
export type UpstreamKind =
  | ({ readonly kind: 'openai' } & OpenaiOptions)
  | ({ readonly kind: 'simulated' } & SimulatedOptions)
  | ProviderOptions
  | LlamaOptions

export type UpstreamOptions = UpstreamKind & LaneSettings

/** What an upstream is called when its options give it no name. */
export function nameOf(options: UpstreamKind): string {
  return options.name ?? options.kind
}

/** Model files are run by the pool's engines. */
export async function createUpstream(
  options: UpstreamKind,
  model: Model,
  llamas: LlamaPool,
): Promise<Upstream> {
  switch (options.kind) {
    case 'openai':
      return createOpenaiUpstream(options)
    case 'simulated':
      return createSimulatedUpstream(model, options)
    case 'anthropic':
    case 'google':
    case 'bedrock': {
      // Loaded only where it is wanted: most services speak to none of them.
      const { createProviderUpstream } = await import('./provider/provider-upstream.ts')
      return createProviderUpstream(options)
    }
    case 'llama':
      return createLlamaUpstream(options, model, llamas)
  }
}
