import { Agent, request } from 'undici'
import { TOKENS, WORD, writeBody, type Mark } from './reply.ts'

/** Where a client asks, and with what. */
export interface Door {
  readonly url: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  /** Of the answer: by what its books know the request. */
  readonly idHeader: string
}

/** A request as its client saw it. */
export interface Attempt {
  readonly number: number
  /** Undefined where no head came. */
  readonly requestId: string | undefined
  /** `whole`: the reply ended. `cut`: it began, or may have, and did not end. */
  readonly end: 'whole' | 'cut' | 'refused'
  /** That came. */
  readonly tokens: number
}

const TIMEOUT_MS = 60_000
const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, pipelining: 1 })

/** Asks once, and leaves after so many tokens where it is told to. Never rejects. */
export async function call(door: Door, mark: Mark, leavesAfter = Infinity): Promise<Attempt> {
  const { number } = mark
  let requestId: string | undefined
  let text = ''
  try {
    const { statusCode, headers, body } = await request(door.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...door.headers },
      body: writeBody(door.model, mark),
      dispatcher: agent,
    })
    requestId = String(headers[door.idHeader])
    for await (const chunk of body) {
      text += String(chunk)
      // To leave a loop is to leave the reply: the connection is closed.
      if (countTokens(text) >= leavesAfter) break
    }
    if (statusCode !== 200) return { number, requestId, end: 'refused', tokens: 0 }
  } catch {
    // It came to an end midway, or nobody was there: what has come is what counts.
  }
  const tokens = countTokens(text)
  return { number, requestId, end: tokens === TOKENS && hasEnd(text) ? 'whole' : 'cut', tokens }
}

function countTokens(text: string): number {
  return text.split(WORD).length - 1
}

/** Some end a stream that broke off as if it had ended, but for the reason. */
function hasEnd(text: string): boolean {
  return /"finish_reason": ?"(?:stop|length)"/.test(text) && text.includes('data: [DONE]')
}
