import { readUsage } from './read-message.ts'
import { firstChoice, parseWireReply, textOf, type WireReply } from './wire-reply.ts'

/**
 * Nearly all chunks of a stream bring a piece of content and nothing else, and servers write all around
 * it the same each time. Once that is known, only the piece has to be parsed: the rest costs a comparison.
 */
export class ContentForm {
  #before = ''
  #after = ''
  #tries = MAX_TRIES

  /** The content of a chunk of this form; undefined for any other, which has to be parsed. */
  read(data: string): string | undefined {
    const length = data.length - this.#before.length - this.#after.length
    if (this.#before === '' || length < '""'.length) return undefined
    if (!data.startsWith(this.#before) || !data.endsWith(this.#after)) return undefined
    return parseText(data.slice(this.#before.length, data.length - this.#after.length))
  }

  /** Looks whether later chunks may be of the form of this one, which had to be parsed. */
  learn(data: string, reply: WireReply): void {
    const content = this.#tries > 0 ? onlyContentOf(reply) : undefined
    if (content === undefined || content === PROBE) return
    this.#tries -= 1
    const text = JSON.stringify(content)
    const at = data.indexOf(text, data.indexOf('"content"') + '"content"'.length)
    if (at < 0) return
    const before = data.slice(0, at)
    const after = data.slice(at + text.length)
    // The same letters may stand elsewhere: what is put there must come out as the content.
    const probed = parseWireReply(before + JSON.stringify(PROBE) + after)
    if (!probed || onlyContentOf(probed) !== PROBE) return
    this.#before = before
    this.#after = after
  }
}

/** Servers that write each chunk differently are not tried for ever. */
const MAX_TRIES = 3
const PROBE = '\u0000probe'

function onlyContentOf(reply: WireReply): string | undefined {
  const choice = firstChoice(reply)
  const message = choice?.delta
  if (reply.error || !message || textOf(choice.finish_reason) !== undefined) return undefined
  if (readUsage(reply.usage)) return undefined
  const { content, refusal, reasoning_content: trace, reasoning, tool_calls: calls } = message
  const others = [refusal, trace, reasoning, calls]
  return others.every((other) => other === undefined || other === null)
    ? textOf(content)
    : undefined
}

/** A JSON string, and nothing else. */
function parseText(json: string): string | undefined {
  try {
    return textOf(JSON.parse(json))
  } catch {
    return undefined
  }
}
