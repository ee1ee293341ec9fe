import { lexer, walkTokens, type Token } from 'marked'

/** A fenced block of a Markdown page, and what is done with it. */
export interface Snippet {
  readonly language: string
  /** All that follows the fence: language and options. */
  readonly info: string
  readonly text: string
  /** Of its text's first line, counted from 1. */
  readonly line: number
  readonly use: Use
  /** Where it is to be written: with an option "file" alone. */
  readonly file: string | undefined
}

export type Use =
  | { readonly kind: 'run' }
  /** Runs until the page ends. */
  | { readonly kind: 'background' }
  | { readonly kind: 'write' }
  /** What the block before has to print. */
  | { readonly kind: 'output' }
  /** A parley.yaml, which the reader of the configuration has to take. */
  | { readonly kind: 'config' }
  | { readonly kind: 'json' }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'show' }

const RUN = new Set(['sh', 'ts', 'py'])
const OUTPUT = new Set(['text', 'json'])
const OPTION = /^(?:(output|background)|file=([\w./-]+)|skip="([^"]+)")(?=\s|$)\s*/

/** The fenced blocks of a page, in their order. Throws where the convention of CONTRIBUTING.md is broken. */
export function readSnippets(markdown: string): Snippet[] {
  const snippets: Snippet[] = []
  const lines = markdown.split('\n')
  let line = 0
  function addFence(token: Token): void {
    if (token.type !== 'code' || !/^ {0,3}(```|~~~)/.test(token.raw)) return
    const [fence = ''] = token.raw.trimStart().split('\n', 1)
    // In a list the raw text has lost its indent, so the line is found by what it says.
    line = lines.findIndex((text, index) => index >= line && text.trim() === fence.trim()) + 1
    const text = String(token['text'])
    // Past its end, so that the fence that closes it is never taken for one that opens.
    snippets.push(readSnippet(fence.replace(/^[`~]+/, '').trim(), text, line + 1, snippets.at(-1)))
    line += token.raw.trim().split('\n').length - 1
  }
  // Without awaiting anything: `walkTokens` goes through them in the order of the page.
  void walkTokens(lexer(markdown), addFence)
  return snippets
}

function readSnippet(
  info: string,
  text: string,
  line: number,
  before: Snippet | undefined,
): Snippet {
  const [language = ''] = info.split(' ', 1)
  const options: { word?: string; file?: string; reason?: string } = {}
  let rest = info.slice(language.length).trim()
  while (rest !== '') {
    const match = OPTION.exec(rest)
    if (!match) throw new Error(`line ${line - 1}: what is ${JSON.stringify(rest)} in "${info}"?`)
    const [whole, word, file, reason] = match
    Object.assign(options, word && { word }, file && { file }, reason && { reason })
    rest = rest.slice(whole.length)
  }
  const use = readUse(language, options)
  const snippet = { language, info, text, line, use, file: options.file }
  const wrong = findMisuse(snippet, before)
  if (wrong !== undefined) throw new Error(`line ${line - 1}: ${wrong}`)
  return snippet
}

function readUse(
  language: string,
  { word, file, reason }: { word?: string; file?: string; reason?: string },
): Use {
  if (reason !== undefined) return { kind: 'skip', reason }
  if (word === 'output') return { kind: 'output' }
  if (word === 'background') return { kind: 'background' }
  if (language === 'json') return { kind: 'json' }
  if (language === 'yaml' && (file === undefined || file === 'parley.yaml')) {
    return { kind: 'config' }
  }
  if (file !== undefined) return { kind: 'write' }
  return { kind: RUN.has(language) ? 'run' : 'show' }
}

function findMisuse(
  { language, use, file }: Snippet,
  before: Snippet | undefined,
): string | undefined {
  switch (use.kind) {
    case 'skip':
      if (!RUN.has(language)) return `"${language}" is not run anyway: leave "skip" out`
      break
    case 'background':
      if (language !== 'sh') return 'only "sh" runs in the background'
      break
    case 'output':
      if (!OUTPUT.has(language)) return 'write what is printed as "text output" or "json output"'
      if (before?.use.kind !== 'run' && before?.use.kind !== 'background') {
        return 'the block before this output is none that runs'
      }
      break
    case 'run':
    case 'write':
    case 'config':
    case 'json':
    case 'show':
      if (language === '') return 'say what language this is ("text" for none)'
  }
  if (file?.split('/').includes('..')) return `${file} is outside the page's directory`
  return undefined
}
