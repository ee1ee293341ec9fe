import type { Readable, Writable } from 'node:stream'

/** What a command reads and writes; nothing in this room reaches for the process itself. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Calls back when a person or the system ends the command. What it returns stops listening. */
  readonly onInterrupt?: (stop: () => void) => () => void
  /** Tries to open an address in the person's browser. */
  readonly openBrowser?: (url: string) => Promise<void>
}

export type Output = Writable & {
  readonly isTTY?: boolean
  /** Of a terminal: how wide it is. */
  readonly columns?: number
}
