import type { Reply } from './reply.ts'

/** The content's pieces, made as they are asked for, and how many there will be. */
export interface Content {
  readonly texts: Iterable<string>
  readonly count: number
}

export function planContent(reply: Reply): Content {
  const texts = reply.deltas ?? splitWords(reply.content ?? '')
  return { texts, count: texts.length }
}

export function repeatText(text: string, count: number): Content {
  return { texts: makeTexts(text, count), count }
}

function* makeTexts(text: string, count: number): Generator<string> {
  for (let made = 0; made < count; made += 1) yield text
}

/** Splits after the spaces that follow each word, so that the pieces join to the same text. */
export function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text])
}
