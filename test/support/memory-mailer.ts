import type { Mail, Mailer } from '#platform/mail/index.ts'

/** Keeps the mails that would be sent. */
export interface MemoryMailer extends Mailer {
  readonly mails: readonly Mail[]
}

export function createMemoryMailer(): MemoryMailer {
  const mails: Mail[] = []
  return { available: true, mails, send: (mail) => void mails.push(mail), idle: async () => {} }
}
