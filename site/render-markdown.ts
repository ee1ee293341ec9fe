import Slugger from 'github-slugger'
import hljs from 'highlight.js'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#platform/escape-html.ts'
import { WORDS, type Language } from './words.ts'

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly id: string
}

/** What stands under one heading, as words to be searched. */
export interface Section {
  readonly heading: Heading
  readonly text: string
}

export interface Article {
  readonly title: string
  /** The page's first paragraph, as plain text. */
  readonly summary: string
  readonly html: string
  readonly sections: readonly Section[]
}

export interface MarkdownOptions {
  readonly language: Language
  /** Undefined: what it leads to is not on the site. */
  readonly resolve: (link: string) => string | undefined
}

/** A page of GitHub-flavoured Markdown as the article of a document. Raw HTML is shown as text. */
export function renderMarkdown(markdown: string, options: MarkdownOptions): Article {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(markdown)
  const headings = readHeadings(tokens)
  marked.use({ renderer: createRenderer(headings, options) })
  const [title] = headings.values()
  if (title?.depth !== 1) throw new Error('a page begins with its title: # Title')
  const first = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
  return {
    title: title.text,
    summary: first ? toPlain(first) : '',
    html: marked.parser(tokens),
    sections: readSections(tokens, headings),
  }
}

type TokenList = ReturnType<Marked['lexer']>

function readHeadings(tokens: TokenList): Map<unknown, Heading> {
  const slugger = new Slugger()
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  return new Map(
    headings.map((token) => {
      const text = toPlain(token)
      return [token, { depth: token.depth, text, id: slugger.slug(text) }]
    }),
  )
}

function readSections(tokens: TokenList, headings: ReadonlyMap<unknown, Heading>): Section[] {
  const sections: { heading: Heading; texts: string[] }[] = []
  for (const token of tokens) {
    const heading = headings.get(token)
    if (heading) sections.push({ heading, texts: [] })
    else sections.at(-1)?.texts.push(toPlain(token))
  }
  return sections.map(({ heading, texts }) => ({
    heading,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }))
}

function createRenderer(headings: ReadonlyMap<unknown, Heading>, options: MarkdownOptions) {
  const { resolve, language } = options
  const words = WORDS[language]
  return {
    heading(this: { parser: Parser }, token: Tokens.Heading): string {
      const { id = '' } = headings.get(token) ?? {}
      const inner = this.parser.parseInline(token.tokens)
      if (token.depth === 1) return `<h1>${inner}</h1>\n`
      const anchor = `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
      return `<h${token.depth} id="${id}">${inner} ${anchor}</h${token.depth}>\n`
    },
    link(this: { parser: Parser }, { href, tokens }: Tokens.Link): string {
      const to = resolve(href)
      const inner = this.parser.parseInline(tokens)
      return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
    },
    image({ href, text }: Tokens.Image): string {
      const to = resolve(href) ?? ''
      return `<img src="${escapeHtml(to)}" alt="${escapeHtml(text)}" loading="lazy" />`
    },
    table(this: { parser: Parser }, { header, rows }: Tokens.Table): string {
      const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
        row
          .map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`)
          .join('')
      const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
      return (
        `<div class="scroll" role="group" aria-label="${words.table}" tabindex="0"><table>` +
        `<thead><tr>${cells(header, 'th scope="col"')}</tr></thead>\n<tbody>${body}</tbody>` +
        `</table></div>\n`
      )
    },
    // A list to go through: nobody ticks it here.
    checkbox: ({ checked }: Tokens.Checkbox): string =>
      `<span aria-hidden="true">${checked ? '☑' : '☐'}</span> `,
    code: ({ text, lang = '' }: Tokens.Code): string => renderCode(text, lang, language),
    html: ({ text }: Tokens.HTML | Tokens.Tag): string =>
      text.startsWith('<!--') ? '' : escapeHtml(text),
  }
}

interface Parser {
  parseInline(tokens: readonly unknown[]): string
}

/** A block of code, with its file's name where it has one. A script adds the button that copies it. */
function renderCode(text: string, info: string, language: Language): string {
  const words = WORDS[language]
  const [name = '', ...marks] = info.split(/\s+/)
  const file = /\bfile=(\S+)/.exec(info)?.[1]
  const isOutput = marks.includes('output')
  const caption = file ?? (isOutput ? words.output : undefined)
  const code = hljs.getLanguage(name)
    ? hljs.highlight(text, { language: name }).value
    : escapeHtml(text)
  return (
    `<figure class="code${isOutput ? ' output' : ''}">` +
    (caption === undefined ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`) +
    `<pre tabindex="0"><code>${code}</code></pre></figure>\n`
  )
}

interface AnyToken {
  readonly type?: string
  readonly raw: string
  readonly text?: string
  readonly tokens?: readonly AnyToken[]
  readonly items?: readonly AnyToken[]
  readonly header?: readonly AnyToken[]
  readonly rows?: readonly (readonly AnyToken[])[]
}

/** What a reader reads of it: no marks, no addresses. */
function toPlain(token: unknown): string {
  const { type, text = '', tokens, items, header, rows } = token as AnyToken
  if (type === 'html' || type === 'space') return ''
  const parts = rows ? [...(header ?? []), ...rows.flat()] : (items ?? tokens)
  if (!parts) return unescapeEntities(text)
  return parts.map(toPlain).join(isInline(type) ? '' : ' ')
}

/** A table's cell has no type. */
function isInline(type: string | undefined): boolean {
  return [undefined, 'paragraph', 'heading', 'link', 'strong', 'em', 'del', 'text'].includes(type)
}

/** The lexer keeps a few characters escaped. */
function unescapeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
