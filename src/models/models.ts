import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Store } from '#platform/store/index.ts'
import { BRANDS, describeModel, type Brand, type Model, type ModelLimits } from './catalogue.ts'
import { DEFAULT_CIRCUIT, type CircuitOptions } from './circuit.ts'
import type { Lane, UpstreamHealth } from './lane.ts'
import {
  abandon,
  compareLineups,
  configureLanes,
  lanesNotIn,
  lineUp,
  NOBODY,
  type Lineup,
  type WrapUpstream,
} from './line-up.ts'
import { createRoute, type Route, type Routing } from './route.ts'
import { followSwitches, writeSwitch } from './switches.ts'
import type { UpstreamOptions } from './upstreams/create-upstream.ts'
import { createLlamaPool, type LlamaPool } from './upstreams/llama/llama-pool.ts'
import type { UpstreamRequest } from './upstreams/upstream.ts'

/** The three models on offer and the upstreams that answer for them. */
export interface Models {
  list(): readonly Model[]
  get(brand: Brand): Model
  /** Begins a reply; unavailable where the brand is switched off or no upstream may be used. */
  open(brand: Brand, request: UpstreamRequest, signal: AbortSignal): Promise<Routing>
  health(): ModelHealth[]
  /** Switches a brand on or off, for good. */
  setEnabled(brand: Brand, enabled: boolean): Promise<void>
  /**
   * Makes ready what is configured now, while all goes on as before. What it resolves to puts it in
   * place, all brands at one moment: replies under way end where they began, and upstreams that are no
   * longer named are closed when their last one has. Rejects where an upstream cannot be made.
   */
  prepare(brands: BrandsOptions): Promise<() => BrandChange[]>
  close(): Promise<void>
}

export interface ModelHealth {
  readonly model: Model
  readonly enabled: boolean
  readonly upstreams: readonly UpstreamHealth[]
}

/** What another configuration changed of a brand; brands of which nothing changed are not told of. */
export interface BrandChange {
  readonly brand: Brand
  /** Names of upstreams. Changed are those that have the same name and are not the same. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** What the brand offers where that is another: tokens. */
  readonly limits?: ModelLimits
}

export type BrandOptions = ModelLimits & { readonly upstreams: readonly UpstreamOptions[] }
export type BrandsOptions = Readonly<Record<Brand, BrandOptions>>

export interface ModelsOptions {
  readonly serviceName: string
  readonly brands: BrandsOptions
  readonly circuit?: CircuitOptions
  /** Undefined leaves each upstream as it is. */
  readonly wrapUpstream?: WrapUpstream | undefined
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** What is configured of a brand, ready to be asked. */
interface Offer {
  readonly model: Model
  readonly lineup: Lineup
}
type Offers = Readonly<Record<Brand, Offer>>

export async function createModels(options: ModelsOptions): Promise<Models> {
  const { store, clock, log } = options
  const llamas = createLlamaPool(log)
  let offers = await makeOffers({ ...options, llamas }, options.brands)
  const off = await followSwitches(store, log)
  /** Upstreams that are no longer named, and not yet closed. */
  const leaving = new Set<Lane>()
  const routes: Readonly<Record<Brand, Route>> = {
    air: createRoute(configureLanes(offers.air.lineup), clock),
    prime: createRoute(configureLanes(offers.prime.lineup), clock),
    nova: createRoute(configureLanes(offers.nova.lineup), clock),
  }

  function put(next: Offers): BrandChange[] {
    const before = offers
    offers = next
    for (const brand of BRANDS) {
      const { lineup } = next[brand]
      routes[brand].use(configureLanes(lineup))
      for (const lane of lanesNotIn(lineup, before[brand].lineup)) {
        leaving.add(lane)
        void lane.retire().then(() => leaving.delete(lane))
      }
    }
    return BRANDS.flatMap((brand) => compareOffers(brand, before[brand], next[brand]))
  }

  return {
    list: () => BRANDS.map((brand) => offers[brand].model),
    get: (brand) => offers[brand].model,
    async open(brand, request, signal) {
      if (off.brands().has(brand)) return { kind: 'unavailable' }
      return routes[brand].open(request, signal)
    },
    health: () =>
      BRANDS.map((brand) => ({
        model: offers[brand].model,
        enabled: !off.brands().has(brand),
        upstreams: routes[brand].health(),
      })),
    async setEnabled(brand, enabled) {
      await writeSwitch(store, brand, enabled)
      await off.look()
    },
    async prepare(brands) {
      const next = await makeOffers({ ...options, llamas }, brands, offers)
      return () => put(next)
    },
    async close() {
      off.close()
      const lanes = BRANDS.flatMap((brand) => lanesNotIn(NOBODY, offers[brand].lineup))
      await Promise.all([...lanes, ...leaving].map((lane) => lane.close()))
    },
  }
}

async function makeOffers(
  options: ModelsOptions & { readonly llamas: LlamaPool },
  brands: BrandsOptions,
  current?: Offers,
): Promise<Offers> {
  const { serviceName, circuit = DEFAULT_CIRCUIT, wrapUpstream, llamas, clock, log } = options
  const made: Offer[] = []
  const lineupOf = (brand: Brand): Lineup => current?.[brand].lineup ?? NOBODY

  async function makeOffer(brand: Brand): Promise<Offer> {
    const { upstreams, ...limits } = brands[brand]
    const takesReasoning = upstreams.some((one) => 'sendReasoning' in one && one.sendReasoning)
    const model = { ...describeModel(serviceName, brand, limits), takesReasoning }
    const tools = { brand, circuit, clock, log, wrapUpstream, llamas }
    const offer = { model, lineup: await lineUp(upstreams, model, lineupOf(brand), tools) }
    made.push(offer)
    return offer
  }

  try {
    return {
      air: await makeOffer('air'),
      prime: await makeOffer('prime'),
      nova: await makeOffer('nova'),
    }
  } catch (error) {
    await Promise.all(made.map(({ model, lineup }) => abandon(lineup, lineupOf(model.brand))))
    throw error
  }
}

function compareOffers(brand: Brand, before: Offer, after: Offer): BrandChange[] {
  const upstreams = compareLineups(before.lineup, after.lineup)
  const { contextWindow, maxOutputTokens } = after.model
  const isSameOffer =
    before.model.contextWindow === contextWindow && before.model.maxOutputTokens === maxOutputTokens
  const limits = isSameOffer ? {} : { limits: { contextWindow, maxOutputTokens } }
  const isSame = Object.values(upstreams).every((names) => names.length === 0) && isSameOffer
  return isSame ? [] : [{ brand, ...upstreams, ...limits }]
}
