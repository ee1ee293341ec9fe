export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail in the background: whoever asks for it does not learn how long it took, nor wait. */
export interface Mailer {
  send(mail: Mail): void
  /** Resolves when all that was given has been sent or given up. */
  idle(): Promise<void>
}
