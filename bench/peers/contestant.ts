import type { Target } from './load-process.ts'
import type { UpstreamUrls } from './upstream-process.ts'
import type { RunningProcess } from './run-process.ts'
import type { ModelName } from './workloads.ts'

/** Who is measured, and how it is got and started. What each does for a request is told in README.md. */
export interface Contestant {
  readonly name: string
  /** Rejects, with the reason, where it cannot be had here. */
  start(place: Place): Promise<Running>
}

export interface Place {
  /** Empty, its own, on a disk; removed in the end. */
  readonly directory: string
  readonly upstreams: UpstreamUrls
}

export interface Running extends Omit<RunningProcess, 'startMs' | 'kill'> {
  /** Undefined where there is no process. */
  readonly startMs: number | undefined
  target(model: ModelName): Target
  /** What it refuses without asking its upstream; those that it has no notion of are left out. */
  readonly refusals: { readonly unauthorized?: Target; readonly limited?: Target }
  /** What is wrong with its books after so many replies; empty where it has none. */
  findProblems(replies: Replies): Promise<readonly string[]>
}

/** How many replies of each model it has given. */
export type Replies = Readonly<Record<ModelName, number>>
