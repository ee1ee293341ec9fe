/** Waits for one step of reading, and no longer than it may take. */
export type Wait = <Result>(step: Promise<Result>) => Promise<Result>

/** No event of the service comes near this many characters. */
const MAX_EVENT_LENGTH = 4_000_000

/**
 * The data of each server-sent event, as it arrives. Lines end in LF, CRLF or CR; comments and other
 * fields are passed over.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  wait: Wait = (step) => step,
): AsyncGenerator<string> {
  let data: string[] = []
  let length = 0
  for await (const line of readLines(body, wait)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
      length = 0
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      length += line.length
      if (length > MAX_EVENT_LENGTH) throw tooLong()
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>, wait: Wait): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await wait(reader.read())
      rest += decoder.decode(value, { stream: !done })
      // A CR at the very end may be the first half of a CRLF: it waits for what follows.
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      if (rest.length > MAX_EVENT_LENGTH) throw tooLong()
      if (done && rest.endsWith('\r')) lines.push(rest.slice(0, -1))
      yield* lines
      if (done) return
    }
  } finally {
    // Whoever stops reading lets the service stop, too.
    await reader.cancel().catch(() => undefined)
  }
}

function tooLong(): Error {
  return new Error(`An event has more than ${MAX_EVENT_LENGTH} characters.`)
}
