export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as a page, for those who read mail as one. */
  readonly html?: string
  /** What the mail is about, if it leads anywhere: shown to developers, never to a production log. */
  readonly link?: string
}

/** Sends mail in the background: whoever asks for it does not learn how long it took, nor wait. */
export interface Mailer {
  /** False where a mail would be lost: whoever has to reach somebody refuses before they begin. */
  readonly available: boolean
  /** `onGivenUp`: it was not sent, and might be if it were given again later. */
  send(mail: Mail, onGivenUp?: () => void): void
  /** Resolves when all that was given has been sent or given up; waits between tries are cut short. */
  idle(): Promise<void>
}
