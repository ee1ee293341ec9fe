/** Why nothing was installed or removed, and what to do: for a person, without a stack. */
export class ModelRefused extends Error {}

/** What the system says of a file, e.g. that the disk is full; anything else is a bug, and stays one. */
export function explainFileFailure(error: unknown): unknown {
  if (error instanceof ModelRefused || !(error instanceof Error)) return error
  const { syscall, code, message } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return error
  const sentence =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `The disk is full (${message}). Make room and run this again: it goes on where it was.`
      : `${message}.`
  return new ModelRefused(sentence, { cause: error })
}
