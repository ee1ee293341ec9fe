import type { Door } from './call.ts'

/** Who keeps money, how it is got and run. What each promises is told in README.md. */
export interface Contestant {
  readonly name: string
  /** True of who has to keep all promises, or the run fails. */
  readonly isOurs: boolean
  /** Rejects, with the reason, where it cannot be had here. */
  open(place: Place): Promise<Payer>
}

export interface Place {
  /** Empty, its own, on a disk; removed in the end. */
  readonly directory: string
  /** Of the upstream, without `/v1`. */
  readonly upstreamUrl: string
  /** What there is to spend, in nano-euros. */
  readonly fundsNano: number
  /** The address of a new database on a PostgreSQL that does wait for its disk. */
  createDatabase(): Promise<string>
}

/** A gateway with one account, which has its funds and nothing more. */
export interface Payer {
  /** Of each of its processes. */
  readonly doors: readonly Door[]
  /** Ends the process of the first door at once, in the midst of its work. */
  kill(): Promise<void>
  /** Starts it again, as it was. */
  restart(): Promise<void>
  readBooks(): Promise<Books>
  stop(): Promise<void>
}

export interface Books {
  readonly bills: readonly Bill[]
  /** By how much the account has less than it began with, in nano-euros. */
  readonly takenNano: number
  /** What they themselves say is wrong. */
  readonly problems: readonly string[]
}

export interface Bill {
  readonly requestId: string
  readonly completionTokens: number
  readonly costNano: number
}
