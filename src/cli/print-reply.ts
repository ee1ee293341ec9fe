import type { FinishReason, ReplyStream, Usage } from 'parley-client'
import type { CommandIo } from './command-io.ts'

export interface PrintedReply {
  readonly requestId: string
  readonly text: string
  readonly finishReason: FinishReason | null
  readonly usage: Usage | undefined
}

const DIM = '\u001B[2m'
const PLAIN = '\u001B[22m'

/**
 * Writes a reply as it arrives. Its reasoning is for a person who looks on, so it is shown on a
 * terminal only, dimmed where colours are wanted; what goes into a pipe is the answer alone.
 */
export async function printStreamedReply(
  { stdout, env }: CommandIo,
  stream: ReplyStream,
): Promise<PrintedReply> {
  const isTerminal = stdout.isTTY === true
  const [dim, plain] = isTerminal && !env['NO_COLOR'] ? [DIM, PLAIN] : ['', '']
  let text = ''
  let reasoning = ''
  let finishReason: PrintedReply['finishReason'] = null
  let usage: Usage | undefined
  try {
    for await (const chunk of stream) {
      const choice = chunk.choices[0]
      const { content = '', reasoning_content: thought = '' } = choice?.delta ?? {}
      if (thought !== '' && isTerminal) stdout.write(dim + keepPrintable(thought) + plain)
      if (content !== '') {
        // A line apart from the reasoning before it.
        if (text === '' && reasoning !== '' && isTerminal) stdout.write('\n\n')
        stdout.write(isTerminal ? keepPrintable(content) : content)
      }
      text += content
      reasoning += thought
      finishReason = choice?.finish_reason ?? finishReason
      usage = chunk.usage ?? usage
    }
  } finally {
    if (text !== '' || (reasoning !== '' && isTerminal)) stdout.write('\n')
  }
  return { requestId: stream.requestId, text, finishReason, usage }
}

/** `stop · 12 prompt + 80 completion = 92 tokens` */
export function describeEnd({ requestId, finishReason, usage }: PrintedReply): string {
  if (finishReason === 'error') {
    return `The reply broke off: the model failed. Ask again. [${requestId}]`
  }
  const reason = finishReason ?? 'no finish reason'
  if (!usage) return reason
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  return `${reason} · ${prompt} prompt + ${completion} completion = ${total} tokens`
}

/** A model may write what moves the cursor or retitles the window: only lines and tabs pass. */
function keepPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\t]]/gv, '')
}
