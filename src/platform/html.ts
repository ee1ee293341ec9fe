import { escapeHtml } from './escape-html.ts'

/** Only this file can make one: nothing that was typed somewhere is taken for markup. */
const MARKUP = Symbol('markup')

/** Markup that may be sent as it stands. */
export interface SafeHtml {
  readonly [MARKUP]: string
}

/** What a template has places for: texts are escaped, markup is not, what is absent is nothing. */
export type Content = string | number | SafeHtml | false | undefined | readonly Content[]

/** A tagged template: html`<p>${text}</p>`. Attributes have to be quoted. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): SafeHtml {
  return { [MARKUP]: String.raw({ raw: strings }, ...contents.map(write)) }
}

/** The markup as a text, to be sent. */
export function toText(safe: SafeHtml): string {
  return safe[MARKUP]
}

function write(content: Content): string {
  if (content === undefined || content === false) return ''
  if (typeof content === 'string') return escapeHtml(content)
  if (typeof content === 'number') return String(content)
  return isList(content) ? content.map(write).join('') : content[MARKUP]
}

function isList(content: SafeHtml | readonly Content[]): content is readonly Content[] {
  return Array.isArray(content)
}
