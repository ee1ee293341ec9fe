import { escapeHtml } from '#platform/escape-html.ts'
import type { Mail } from '#platform/mail/index.ts'
import { LINK_PATHS, type LinkedKind, type MailKind } from './mail-kinds.ts'
import type { Language } from './pick-language.ts'
import { TEXTS_EN } from './texts-en.ts'
import { TEXTS_PT } from './texts-pt.ts'

/** Whose spelling each one is. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' }

export const TEXTS = { en: TEXTS_EN, pt: TEXTS_PT } as const

export interface Letter {
  readonly kind: MailKind
  readonly to: string
  readonly language: Language
  /** The origin that links lead to. */
  readonly issuer: string
  /** What the link carries. */
  readonly token?: string
  /** A text of the person's that the mail has to repeat. */
  readonly detail?: string
}

/** A mail in words. Nothing in it is the text of a stranger: a mail is no way to send people spam. */
export function writeMail(letter: Letter): Mail {
  const { kind, to, language, issuer } = letter
  const texts = TEXTS[language]
  const { subject, action, ...rest } = texts.kinds[kind]
  const link = isLinked(kind) ? writeLink(issuer, kind, letter.token) : undefined
  const fill = (text: string): string =>
    text.replace('{detail}', letter.detail ?? '').replace('{origin}', issuer)
  const body = {
    subject,
    intro: [texts.greeting, ...rest.intro.map(fill)],
    outro: rest.outro.map(fill),
    footer: fill(texts.footer),
    link: link === undefined ? undefined : { url: link, action: action ?? link },
  }
  const written = { to, subject, text: writeText(body), html: writeHtml(body, language) }
  return { ...written, ...(link !== undefined && { link }) }
}

function isLinked(kind: MailKind): kind is LinkedKind {
  return kind in LINK_PATHS
}

function writeLink(issuer: string, kind: LinkedKind, token: string | undefined): string {
  const page = issuer + LINK_PATHS[kind]
  return token === undefined ? page : `${page}?token=${encodeURIComponent(token)}`
}

interface Body {
  readonly subject: string
  readonly intro: readonly string[]
  readonly link: { readonly url: string; readonly action: string } | undefined
  readonly outro: readonly string[]
  readonly footer: string
}

function writeText({ intro, link, outro, footer }: Body): string {
  const linked = link ? [`${link.action}:\n${link.url}`] : []
  return [...intro, ...linked, ...outro, `-- \n${footer}`].join('\n\n')
}

/** One column of paragraphs and a button: no picture, no script, nothing that is fetched. */
function writeHtml({ subject, intro, link, outro, footer }: Body, language: Language): string {
  const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`
  const button = link
    ? `<p><a href="${escapeHtml(link.url)}" style="${BUTTON}">${escapeHtml(link.action)}</a></p>
<p style="${SMALL}">${escapeHtml(link.url)}</p>`
    : ''
  return `<!doctype html>
<html lang="${LOCALES[language]}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="${PAGE}">
${intro.map(paragraph).join('\n')}
${button}
${outro.map(paragraph).join('\n')}
<hr><p style="${SMALL}">${escapeHtml(footer)}</p>
</body></html>
`
}

const PAGE =
  'max-width:34em;margin:2em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a'
const BUTTON =
  'display:inline-block;padding:.7em 1.2em;border-radius:.4em;background:#1f4ed8;color:#ffffff;text-decoration:none'
const SMALL = 'font-size:13px;color:#555555;overflow-wrap:anywhere'
