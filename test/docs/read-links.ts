import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import GithubSlugger from 'github-slugger'
import { lexer, walkTokens, type Token } from 'marked'
import { root } from './make-place.ts'

/** What a Markdown file links to, pictures included, in its order. */
export function readLinks(markdown: string): string[] {
  const links: string[] = []
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']))
  })
  return links
}

/** The anchors that GitHub gives a file's headings, and so do our pages. */
export function readAnchors(markdown: string): Set<string> {
  const slugger = new GithubSlugger()
  const anchors = new Set<string>()
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'heading') anchors.add(slugger.slug(readText(token)))
  })
  return anchors
}

/** A heading's words, without what marks them up. */
function readText(token: Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(readText).join('')
  return 'text' in token ? String(token.text) : ''
}

/** Pages that are made, not written. */
const MADE = new Set(['/docs/api'])

/** Why a link of a file leads nowhere; undefined where it leads somewhere. */
export function findFault(path: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) {
    if (!URL.canParse(link)) return 'is no address'
    return /^(https:|mailto:)/.test(link) || /^http:\/\/127\.0\.0\.1\b/.test(link)
      ? undefined
      : 'is neither https nor of this machine'
  }
  const [address = '', anchor] = link.split('#', 2)
  if (address.startsWith('/')) return MADE.has(address) ? undefined : 'is no page of the service'
  const target = address === '' ? path : normalize(join(dirname(path), address))
  if (target.startsWith('..') || !existsSync(join(root, target))) return 'is no file'
  if (anchor === undefined) return undefined
  if (statSync(join(root, target)).isDirectory()) return 'is a folder, which has no anchors'
  const anchors = readAnchors(readFileSync(join(root, target), 'utf8'))
  if (anchors.has(anchor)) return undefined
  return `has no such heading; there are ${[...anchors].join(', ')}`
}
