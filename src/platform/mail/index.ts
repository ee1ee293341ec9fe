export { createFileMailer } from './file-mailer.ts'
export type { Mail, Mailer } from './mailer.ts'
export { createNoMailer } from './no-mailer.ts'
export { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'
