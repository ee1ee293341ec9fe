import type { Model } from './catalogue.ts'
import type { LaneSettings } from './lane-settings.ts'
import { Lane, type LaneTools } from './lane.ts'
import {
  createUpstream,
  nameOf,
  type UpstreamKind,
  type UpstreamOptions,
} from './upstreams/create-upstream.ts'
import type { LlamaPool } from './upstreams/llama/llama-pool.ts'
import type { Upstream } from './upstreams/upstream.ts'

/** A brand's upstreams as they are configured, in the order of the list. */
export interface Lineup {
  readonly places: readonly Place[]
}

export interface Place {
  readonly lane: Lane
  readonly settings: LaneSettings
  /** What the upstream was made from, to tell whether it is still the same. */
  readonly source: string
}

/** Puts something around an upstream of a model, to watch what passes there. */
export type WrapUpstream = (upstream: Upstream, model: Model) => Upstream

interface LineUpTools extends LaneTools {
  readonly llamas: LlamaPool
  /** Undefined leaves each upstream as it is. */
  readonly wrapUpstream?: WrapUpstream | undefined
}

export const NOBODY: Lineup = { places: [] }

/**
 * Makes ready what is configured. An upstream that stays as it was keeps its lane, so its connections,
 * circuit, limits and figures. Nothing changes for any request until `configureLanes`.
 */
export async function lineUp(
  configured: readonly UpstreamOptions[],
  model: Model,
  current: Lineup,
  { wrapUpstream = (upstream) => upstream, llamas, ...tools }: LineUpTools,
): Promise<Lineup> {
  const places: Place[] = []
  try {
    for (const [index, options] of configured.entries()) {
      const { settings, kind } = split(options, index)
      const source = JSON.stringify(kind)
      const stays = current.places.find((place) => place.source === source)
      const make = async (): Promise<Lane> =>
        new Lane(wrapUpstream(await createUpstream(kind, model, llamas), model), tools)
      const lane = stays?.lane ?? (await make())
      places.push({ lane, settings, source })
    }
  } catch (error) {
    await abandon({ places }, current)
    throw error
  }
  return { places }
}

/** Gives each lane the settings of its place. */
export function configureLanes({ places }: Lineup): readonly Lane[] {
  for (const { lane, settings } of places) lane.configure(settings)
  return places.map(({ lane }) => lane)
}

/** The lanes of a line-up that are not in another. */
export function lanesNotIn(other: Lineup, { places }: Lineup): readonly Lane[] {
  const kept = new Set(other.places.map(({ lane }) => lane))
  return places.map(({ lane }) => lane).filter((lane) => !kept.has(lane))
}

/** Closes what was made for a line-up that is not to be. */
export async function abandon(lineup: Lineup, current: Lineup): Promise<void> {
  await Promise.all(lanesNotIn(current, lineup).map((lane) => lane.close()))
}

/** How two line-ups differ, by the names of their upstreams. */
export function compareLineups(before: Lineup, after: Lineup) {
  const known = new Map(before.places.map((place) => [place.lane.name, place]))
  const names = new Set(after.places.map(({ lane }) => lane.name))
  return {
    added: [...names].filter((name) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !names.has(name)),
    changed: after.places
      .filter(({ lane, source, settings }) => {
        const was = known.get(lane.name)
        const isSame = was?.source === source && isEqual(was.settings, settings)
        return was !== undefined && !isSame
      })
      .map(({ lane }) => lane.name),
  }
}

function isEqual(one: LaneSettings, other: LaneSettings): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function split(
  { priority, weight, maxConcurrent, requestsPerMinute, ...kind }: UpstreamOptions,
  index: number,
): { readonly settings: LaneSettings; readonly kind: UpstreamKind } {
  const settings = {
    priority: priority ?? index + 1,
    ...(weight !== undefined && { weight }),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  }
  return { settings, kind: { ...kind, name: nameOf(kind) } }
}
