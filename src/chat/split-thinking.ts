/** Takes a reply's content apart where a server has left the reasoning in it. */
export interface ThinkingSplitter {
  add(text: string): void
  /** Passes on what was held back in case a tag would come of it. */
  end(): void
}

interface Parts {
  content(text: string): void
  reasoning(text: string): void
}

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Servers without a reasoning parser send the trace as content that begins with <think>. Only there
 * is the tag special: later in a reply it is text like any other.
 */
export function createThinkingSplitter(parts: Parts): ThinkingSplitter {
  return new Splitter(parts)
}

class Splitter implements ThinkingSplitter {
  readonly #parts: Parts
  #state: 'beginning' | 'thinking' | 'after' | 'answer' = 'beginning'
  #held = ''

  constructor(parts: Parts) {
    this.#parts = parts
  }

  add(text: string): void {
    this.#held += text
    if (this.#state === 'beginning') this.#readBeginning()
    if (this.#state === 'thinking') this.#readThinking()
    if (this.#state === 'after') this.#skipBlank()
    if (this.#state === 'answer') this.#release('content')
  }

  end(): void {
    this.#release(this.#state === 'thinking' ? 'reasoning' : 'content')
  }

  #readBeginning(): void {
    const begun = this.#held.trimStart()
    if (begun.startsWith(OPEN)) {
      this.#held = begun.slice(OPEN.length)
      this.#state = 'thinking'
    } else if (!OPEN.startsWith(begun)) {
      this.#state = 'answer'
    }
  }

  #readThinking(): void {
    const close = this.#held.indexOf(CLOSE)
    const known = close >= 0 ? close : this.#held.length - tagBeginningAtEnd(this.#held)
    const rest = this.#held.slice(known)
    this.#held = this.#held.slice(0, known)
    this.#release('reasoning')
    this.#held = close >= 0 ? rest.slice(CLOSE.length) : rest
    if (close >= 0) this.#state = 'after'
  }

  /** Models put blank lines between the trace and the answer; they belong to neither. */
  #skipBlank(): void {
    this.#held = this.#held.trimStart()
    if (this.#held !== '') this.#state = 'answer'
  }

  #release(kind: 'content' | 'reasoning'): void {
    const text = this.#held
    this.#held = ''
    if (text !== '') this.#parts[kind](text)
  }
}

/** How many characters at the end of a text may be the beginning of the closing tag. */
function tagBeginningAtEnd(text: string): number {
  const longest = Math.min(text.length, CLOSE.length - 1)
  for (let length = longest; length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length
  }
  return 0
}
