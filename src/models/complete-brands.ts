import { BRANDS, DEFAULT_LIMITS, type Brand, type ModelLimits } from './catalogue.ts'
import type { BrandOptions } from './models.ts'
import type { UpstreamOptions } from './upstreams/create-upstream.ts'
import { discoverOllama } from './upstreams/discover-ollama.ts'

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
    const { upstreams, ...limits } = configured[brand]
    return {
      ...DEFAULT_LIMITS[brand],
      ...limits,
      upstreams: upstreams.length > 0 ? upstreams : [fallback],
    }
  }
  return { air: complete('air'), prime: complete('prime'), nova: complete('nova') }
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
