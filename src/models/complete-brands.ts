import { BRANDS, DEFAULT_LIMITS, type Brand, type ModelLimits } from './catalogue.ts'
import type { BrandOptions } from './models.ts'
import type { UpstreamOptions } from './upstreams/create-upstream.ts'
import { discoverOllama } from './upstreams/discover-ollama.ts'
import { DEFAULT_CONTEXT_TOKENS } from './upstreams/llama/llama-options.ts'

/** What the operator has said of a brand; no upstreams where nothing is configured. */
export type BrandConfig = Partial<ModelLimits> & { readonly upstreams: readonly UpstreamOptions[] }

/**
 * Fills in what is not configured: the default limits, and for brands without an upstream an Ollama
 * that runs here, else the simulated model. An address of undefined looks for none.
 */
export async function completeBrands(
  configured: Readonly<Record<Brand, BrandConfig>>,
  ollamaUrl: string | undefined,
): Promise<Record<Brand, BrandOptions>> {
  const isOpen = BRANDS.some((brand) => configured[brand].upstreams.length === 0)
  const found = isOpen && ollamaUrl !== undefined ? await findOllama(ollamaUrl) : undefined
  const fallback: UpstreamOptions = found ?? { kind: 'simulated' }
  const complete = (brand: Brand): BrandOptions => {
    const { upstreams: named, ...limits } = configured[brand]
    const upstreams = named.length > 0 ? named : [fallback]
    return { ...limitsOf(brand, upstreams), ...limits, upstreams }
  }
  return { air: complete('air'), prime: complete('prime'), nova: complete('nova') }
}

/** A model file that is run here is given less of a context than a server's: memory is what it costs. */
function limitsOf(brand: Brand, upstreams: readonly UpstreamOptions[]): ModelLimits {
  const { contextWindow, maxOutputTokens } = DEFAULT_LIMITS[brand]
  const windows = upstreams.flatMap((one) =>
    one.kind === 'llama' ? [one.contextTokens ?? DEFAULT_CONTEXT_TOKENS] : [],
  )
  const least = Math.min(contextWindow, ...windows)
  // Half of it is left to the conversation where a caller does not say how long the reply may be.
  return {
    contextWindow: least,
    maxOutputTokens: Math.max(1, Math.min(maxOutputTokens, Math.floor(least / 2))),
  }
}

async function findOllama(url: string): Promise<UpstreamOptions | undefined> {
  const model = await discoverOllama(url)
  if (model === undefined) return undefined
  return {
    kind: 'openai',
    name: `ollama ${model}`,
    url: `${url}/v1`,
    model,
    apiKey: undefined,
  }
}
