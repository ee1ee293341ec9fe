import type { FileName } from './backup-files.ts'
import type { Inspection } from './inspect-rows.ts'
import type { ToolOptions } from './postgres-tools.ts'
import type { OnProgress } from './progress.ts'

/** How a store is copied, whichever it is. */
export interface Copying extends ToolOptions {
  /** The directory where the copy goes. */
  readonly to: string
  readonly onProgress: OnProgress
}

export interface Copy extends Inspection {
  readonly name: FileName
}
