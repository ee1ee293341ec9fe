export { INVITATION_PATH, type MailKind } from './mail-kinds.ts'
export { LANGUAGES, LOCALE_HEADER, pickLanguage, type Language } from './pick-language.ts'
export { writeMail, type Letter } from './write-mail.ts'
