import MiniSearch from 'minisearch'
import type { SearchEntry } from '../render-search-page.ts'

const MAX_FOUND = 40

export interface Found {
  readonly page: string
  readonly heading: string
  readonly url: string
  /** Some words around the first that was looked for. */
  readonly excerpt: string
}

/** Finds sections by their words; the list of them is loaded when it is first asked. */
export type Search = (query: string) => Promise<readonly Found[]>

export function createSearch(address: string): Search {
  let loading: Promise<MiniSearch<SearchEntry>> | undefined
  return async (query) => {
    loading ??= load(address)
    try {
      const index = await loading
      return index.search(query).slice(0, MAX_FOUND).map(toFound)
    } catch (error) {
      // It may be there the next time.
      loading = undefined
      throw error
    }
  }
}

async function load(address: string): Promise<MiniSearch<SearchEntry>> {
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`the list was answered with ${reply.status}`)
  const index = new MiniSearch<SearchEntry>({
    fields: ['page', 'heading', 'text'],
    storeFields: ['page', 'heading', 'url', 'text'],
    processTerm: (term) => toPlainLetters(term),
    searchOptions: {
      boost: { page: 4, heading: 3 },
      prefix: true,
      // A slip in a long word only: "key" must not find "they".
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      // What is read to call or to operate comes before why it is so and what changed.
      boostDocument: (_id, _term, stored) => (isAppendix(stored?.['url']) ? 0.2 : 1),
    },
  })
  index.addAll((await reply.json()) as SearchEntry[])
  return index
}

function isAppendix(url: unknown): boolean {
  return /^\/docs\/(decisions|changelog|security)\b/.test(String(url))
}

/** "Autenticação" is found by "autenticacao". */
function toPlainLetters(term: string): string {
  return term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function toFound(result: { readonly terms: readonly string[] } & Record<string, unknown>): Found {
  const { page, heading, url, text } = result as unknown as SearchEntry
  return { page, heading, url, excerpt: cutExcerpt(text, result.terms) }
}

const BEFORE = 40
const LENGTH = 140

function cutExcerpt(text: string, terms: readonly string[]): string {
  const plain = toPlainLetters(text)
  const places = terms.map((term) => plain.indexOf(term)).filter((place) => place !== -1)
  const begin = Math.max(0, Math.min(...places, plain.length) - BEFORE)
  const start = places.length === 0 ? 0 : text.lastIndexOf(' ', begin) + 1
  const cut = text.slice(start, start + LENGTH)
  return `${start > 0 ? '… ' : ''}${cut.trim()}${start + LENGTH < text.length ? ' …' : ''}`
}
