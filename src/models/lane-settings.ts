/** When an upstream is asked, and how much of it: what can be set for one of any kind. */
export interface LaneSettings {
  /** The lowest number is asked first. Default: its place in the brand's list, from 1. */
  readonly priority?: number
  /** Its share of the requests among upstreams of the same priority; default 1. */
  readonly weight?: number
  /** So many requests at once, in this process; default: as many as come. */
  readonly maxConcurrent?: number
  /** So many requests in any 60 seconds, from this process; default: as many as come. */
  readonly requestsPerMinute?: number
}
