export { createFileMailer } from './file-mailer.ts'
export type { Mail, Mailer } from './mailer.ts'
