import type { Clock } from '#platform/clock.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { pickLanguage, writeMail, type MailKind } from '../mails/index.ts'
import { createMailBound } from './bound-mails.ts'

export interface MailOrder {
  readonly kind: MailKind
  readonly to: string
  /** Of the request that it follows from: they say in which language. */
  readonly headers: Headers | undefined
  readonly token?: string
  readonly detail?: string
}

/** Never waits for the mail to be sent, which would tell whether there was one. */
export type SendMail = (order: MailOrder) => void

export interface SendMailOptions {
  readonly mailer: Mailer
  readonly clock: Clock
  readonly issuer: string
}

export function createSendMail({ mailer, clock, issuer }: SendMailOptions): SendMail {
  const maySend = createMailBound(clock)
  return ({ headers, ...letter }) => {
    if (!maySend(letter.kind, letter.to)) return
    mailer.send(writeMail({ ...letter, issuer, language: pickLanguage(headers) }))
  }
}
