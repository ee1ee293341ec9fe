import type { Model } from '../catalogue.ts'
import { createOpenaiUpstream, type OpenaiOptions } from './openai/openai-upstream.ts'
import { createSimulatedUpstream } from './simulated.ts'
import type { Upstream } from './upstream.ts'

export type UpstreamOptions =
  | ({ readonly kind: 'openai' } & OpenaiOptions)
  | { readonly kind: 'simulated' }

export function createUpstream(options: UpstreamOptions, model: Model): Upstream {
  switch (options.kind) {
    case 'openai':
      return createOpenaiUpstream(options)
    case 'simulated':
      return createSimulatedUpstream(model)
  }
}
