import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Store } from '#platform/store/index.ts'
import { BRANDS, describeModel, type Brand, type Model, type ModelLimits } from './catalogue.ts'
import { DEFAULT_CIRCUIT, type CircuitOptions } from './circuit.ts'
import type { UpstreamHealth } from './lane.ts'
import { createRoute, type Route, type Routing } from './route.ts'
import { followSwitches, writeSwitch } from './switches.ts'
import { createUpstream, type UpstreamOptions } from './upstreams/create-upstream.ts'
import type { Upstream, UpstreamRequest } from './upstreams/upstream.ts'

/** The three models on offer and the upstreams that answer for them. */
export interface Models {
  readonly list: readonly Model[]
  get(brand: Brand): Model
  /** Begins a reply; unavailable where the brand is switched off or no upstream may be used. */
  open(brand: Brand, request: UpstreamRequest, signal: AbortSignal): Promise<Routing>
  health(): ModelHealth[]
  /** Switches a brand on or off, for good. */
  setEnabled(brand: Brand, enabled: boolean): Promise<void>
  close(): Promise<void>
}

export interface ModelHealth {
  readonly model: Model
  readonly enabled: boolean
  readonly upstreams: readonly UpstreamHealth[]
}

export type BrandOptions = ModelLimits & { readonly upstreams: readonly UpstreamOptions[] }

/** Puts something around an upstream of a model, to watch what passes there. */
export type WrapUpstream = (upstream: Upstream, model: Model) => Upstream

export interface ModelsOptions {
  readonly serviceName: string
  readonly brands: Readonly<Record<Brand, BrandOptions>>
  readonly circuit?: CircuitOptions
  /** Undefined leaves each upstream as it is. */
  readonly wrapUpstream?: WrapUpstream | undefined
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

interface Offer {
  readonly model: Model
  readonly route: Route
}

export async function createModels(options: ModelsOptions): Promise<Models> {
  const { serviceName, brands, store, clock, log, circuit = DEFAULT_CIRCUIT } = options
  const { wrapUpstream = (upstream) => upstream } = options
  const off = await followSwitches(store, log)
  const closers: (() => Promise<void>)[] = []

  function createOffer(brand: Brand): Offer {
    const { upstreams: configured, ...limits } = brands[brand]
    const takesReasoning = configured.some((one) => one.kind === 'openai' && one.sendReasoning)
    const model = { ...describeModel(serviceName, brand, limits), takesReasoning }
    const upstreams = configured.map((one) => wrapUpstream(createUpstream(one, model), model))
    closers.push(...upstreams.map((upstream) => () => upstream.close()))
    return { model, route: createRoute({ brand, upstreams, circuit, clock, log }) }
  }

  const offers: Record<Brand, Offer> = {
    air: createOffer('air'),
    prime: createOffer('prime'),
    nova: createOffer('nova'),
  }

  return {
    list: BRANDS.map((brand) => offers[brand].model),
    get: (brand) => offers[brand].model,
    async open(brand, request, signal) {
      if (off.brands().has(brand)) return { kind: 'unavailable' }
      return offers[brand].route.open(request, signal)
    },
    health: () =>
      BRANDS.map((brand) => ({
        model: offers[brand].model,
        enabled: !off.brands().has(brand),
        upstreams: offers[brand].route.health(),
      })),
    async setEnabled(brand, enabled) {
      await writeSwitch(store, brand, enabled)
      await off.look()
    },
    async close() {
      off.close()
      await Promise.all(closers.map((close) => close()))
    },
  }
}
