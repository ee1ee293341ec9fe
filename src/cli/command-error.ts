/** A failure that is no bug: one sentence for the person at the terminal, and no stack. */
export class CommandError extends Error {
  /** The service's code, where the service refused. */
  readonly code: string | undefined

  constructor(sentence: string, { code, cause }: { code?: string; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.name = 'CommandError'
    this.code = code
  }
}
