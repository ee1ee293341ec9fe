import { BRANDS, type Brand, type ModelLimits, type UpstreamOptions } from '#models/index.ts'

/** An upstream to look at, and what is sold of it. */
export interface Target {
  /** Its name, and the brands that it stands behind. */
  readonly label: string
  readonly options: UpstreamOptions
  readonly uses: readonly Use[]
}

/** A brand that an upstream stands behind, with what callers of the brand are promised. */
export interface Use extends ModelLimits {
  readonly brand: Brand
}

type Offers = Readonly<
  Record<Brand, ModelLimits & { readonly upstreams: readonly UpstreamOptions[] }>
>

/**
 * Each upstream once, however many brands it serves; the simulated model has nothing to
 * look at, and a model file would be loaded a second time beside the service.
 */
export function listTargets(offers: Offers): Target[] {
  const found = new Map<string, { options: UpstreamOptions; uses: Use[] }>()
  for (const brand of BRANDS) {
    const { upstreams, contextWindow, maxOutputTokens } = offers[brand]
    for (const options of upstreams) {
      if (options.kind === 'simulated' || options.kind === 'llama') continue
      const key = JSON.stringify(options)
      const target = found.get(key) ?? { options, uses: [] }
      target.uses.push({ brand, contextWindow, maxOutputTokens })
      found.set(key, target)
    }
  }
  return [...found.values()].map(({ options, uses }) => ({
    label: `${nameOf(options)} (${uses.map(({ brand }) => brand).join(', ')})`,
    options,
    uses,
  }))
}

function nameOf(options: UpstreamOptions): string {
  return 'name' in options ? options.name : options.kind
}
