import type { Engine } from '#platform/store/index.ts'

/** What the driver tells a service under chaos, and what it says back: plain data, between processes. */
export interface ServeOptions {
  readonly store: StoreOptions
  /** For the store, if it is embedded, and for what the store cannot take. */
  readonly dataDir: string
  /** Tried in this order, for every brand. */
  readonly upstreamUrls: readonly string[]
  /** Where its clock stands at the start, in epoch milliseconds. */
  readonly nowMs: number
  /** Where replicas that share a store read the time, all the same; else they are told it. */
  readonly clockPath: string | undefined
}

/** Which store is opened, and where it is if it is not embedded. */
export interface StoreOptions {
  readonly engine: Engine
  readonly databaseUrl: string | undefined
}

export type Order =
  | { readonly kind: 'move-clock'; readonly nowMs: number }
  | { readonly kind: 'break-store'; readonly breakage: Breakage }
  | { readonly kind: 'mend-store' }
  | { readonly kind: 'measure' }

export const BREAKAGES = ['fails', 'slow', 'hangs', 'full', 'read-only', 'forgets'] as const

/**
 * How a store behaves that is broken at its door:
 * - `fails`: every call ends with an I/O error, and nothing is done.
 * - `slow`: every call waits first.
 * - `hangs`: calls wait until it is mended.
 * - `full`, `read-only`: reads succeed, writes fail.
 * - `forgets`: a commit is done, and then reported as failed.
 */
export interface Breakage {
  readonly kind: (typeof BREAKAGES)[number]
  /** Of a hundred calls so many meet it. */
  readonly percent: number
  /** Chooses which. */
  readonly seed: number
}

export interface Measurement {
  /** What is left after a collection: JavaScript's heap and what it keeps outside of it. */
  readonly keptBytes: number
  readonly residentBytes: number
  /** Connections of clients. */
  readonly connections: number
}

export interface NumberedOrder {
  readonly id: number
  readonly order: Order
}

export type Report =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'done'; readonly id: number; readonly measurement?: Measurement }
