import type { Log } from '../log.ts'
import type { Mailer } from './mailer.ts'

/** For a service in production that was told no way to send mail. */
export function createNoMailer(log: Log): Mailer {
  return {
    available: false,
    send: () => log.debug({}, 'mail not sent: SMTP_URL is not set'),
    idle: async () => {},
  }
}
