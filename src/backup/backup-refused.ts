/** Why nothing was backed up or restored, and what to do: for a person, without a stack. */
export class BackupRefused extends Error {}

/** What the system says of a file, e.g. that the disk is full; anything else is a bug, and stays one. */
export function explainFileFailure(error: unknown): unknown {
  if (error instanceof BackupRefused || !(error instanceof Error)) return error
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return error
  return new BackupRefused(`${error.message}. Nothing was changed.`, { cause: error })
}
