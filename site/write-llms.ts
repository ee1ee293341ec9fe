import { CHAPTERS } from './contents.ts'
import { toAddress, toMarkdownAddress } from './list-pages.ts'
import { ORIGIN } from './render-page.ts'
import type { Written } from './render-search-page.ts'

/** What a language model reads first: every page in English with what it is for (llmstxt.org). */
export function writeLlms(written: readonly Written[]): string {
  const byAddress = new Map(written.map((one) => [one.source.address, one]))
  const chapters = CHAPTERS.map(({ title, pages }) => {
    const lines = pages.flatMap((name) => {
      const found = byAddress.get(toAddress(name, 'en'))
      if (!found) return []
      const { source, article } = found
      return [`- [${article.title}](${ORIGIN}${toMarkdownAddress(source)}): ${article.summary}`]
    })
    return `## ${title.en}\n\n${lines.join('\n')}`
  })
  return [
    '# Parley',
    `> A chat-completion service: three models behind \`POST ${ORIGIN}/v1/chat/{brand}\`, streamed or whole, with tools and reasoning, paid by the token from a prepaid balance.`,
    ...chapters,
    `## Reference\n\n- [OpenAPI document](${ORIGIN}/v1/openapi.json): every operation, with its parameters, replies and errors\n- [Everything above as one file](${ORIGIN}/llms-full.txt)`,
    '',
  ].join('\n\n')
}

/** All pages in English, one after the other. */
export function writeLlmsFull(texts: readonly string[]): string {
  return `${texts.map((text) => text.trim()).join('\n\n---\n\n')}\n`
}
