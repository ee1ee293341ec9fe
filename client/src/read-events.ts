/**
 * The data of each server-sent event, as it arrives. Lines end in LF, CRLF or CR; comments and other
 * fields are passed over.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      // A CR at the very end may be the first half of a CRLF: it waits for what follows.
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      if (done && rest.endsWith('\r')) lines.push(rest.slice(0, -1))
      yield* lines
      if (done) return
    }
  } finally {
    // Whoever stops reading lets the service stop, too.
    await reader.cancel().catch(() => undefined)
  }
}
