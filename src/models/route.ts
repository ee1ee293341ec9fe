import type { Clock } from '#platform/clock.ts'
import { isUpstreamsFault, type Lane, type UpstreamHealth } from './lane.ts'
import { createLanePicker } from './pick-lane.ts'
import type { UpstreamFailure, UpstreamReply, UpstreamRequest } from './upstreams/upstream.ts'

/** The way from a brand to a reply: its upstreams, each behind a circuit and its limits. */
export interface Route {
  /** Tries each upstream that may be asked until one begins to reply. */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<Routing>
  /** Replaces the upstreams at once. Replies under way go on where they began. */
  use(lanes: readonly Lane[]): void
  health(): UpstreamHealth[]
}

export type Routing =
  | { readonly kind: 'opened'; readonly reply: UpstreamReply }
  /** At least one was tried; this is how the last one failed. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }
  /** None may be used now. */
  | { readonly kind: 'unavailable' }

const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'the client has left already' }

export function createRoute(initial: readonly Lane[], clock: Clock): Route {
  let lanes = initial
  let picker = createLanePicker(lanes)
  return {
    async open(request, signal) {
      let last: Routing = { kind: 'unavailable' }
      let tried: Set<Lane> | undefined
      for (;;) {
        if (signal.aborted) return { kind: 'failed', failure: CANCELLED }
        const lane = picker.pick(clock.nowMs(), tried)
        if (!lane) return last
        const opening = await lane.open(request, signal)
        if (opening.kind === 'opened' || !isUpstreamsFault(opening.failure)) return opening
        if (opening.failure.kind !== 'unavailable') last = opening
        tried = (tried ?? new Set()).add(lane)
      }
    },
    use(next) {
      lanes = next
      picker = createLanePicker(next)
    },
    health: () => lanes.map((lane) => lane.health()),
  }
}
