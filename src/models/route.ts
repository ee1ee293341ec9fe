import { isUpstreamsFault, Lane, type LaneTools, type UpstreamHealth } from './lane.ts'
import type {
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './upstreams/upstream.ts'

/** The way from a brand to a reply: its upstreams, in order, each behind a circuit. */
export interface Route {
  /** Tries each upstream that may be used until one begins to reply. */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<Routing>
  health(): UpstreamHealth[]
}

export type Routing =
  | { readonly kind: 'opened'; readonly reply: UpstreamReply }
  /** At least one was tried; this is how the last one failed. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }
  /** None may be used now. */
  | { readonly kind: 'unavailable' }

export interface RouteOptions extends LaneTools {
  readonly upstreams: readonly Upstream[]
}

const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'the client has left already' }

export function createRoute({ upstreams, ...tools }: RouteOptions): Route {
  const lanes = upstreams.map((upstream) => new Lane(upstream, tools))
  return {
    async open(request, signal) {
      let last: Routing = { kind: 'unavailable' }
      for (const lane of lanes) {
        if (signal.aborted) return { kind: 'failed', failure: CANCELLED }
        const opening = await lane.open(request, signal)
        if (!opening) continue
        if (opening.kind === 'opened' || !isUpstreamsFault(opening.failure)) return opening
        last = opening
      }
      return last
    },
    health: () => lanes.map((lane) => lane.health()),
  }
}
