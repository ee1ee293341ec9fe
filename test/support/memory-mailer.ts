import type { Mail, Mailer } from '#platform/mail/index.ts'

/** Keeps the mails that would be sent. */
export interface MemoryMailer extends Mailer {
  /** Can be set, as if the queue were full. */
  available: boolean
  readonly mails: readonly Mail[]
  /** Forgets the last mail, as a mailer does whose server stays away. */
  giveUpLast(): void
}

export function createMemoryMailer(): MemoryMailer {
  const mails: Mail[] = []
  const onGivenUps: ((() => void) | undefined)[] = []
  return {
    available: true,
    mails,
    send(mail, onGivenUp) {
      mails.push(mail)
      onGivenUps.push(onGivenUp)
    },
    giveUpLast() {
      mails.pop()
      onGivenUps.pop()?.()
    },
    idle: async () => {},
  }
}
