import type { Readable, Writable } from 'node:stream'

/** What a command reads and writes; nothing in this room reaches for the process itself. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Output = Writable & { readonly isTTY?: boolean }
