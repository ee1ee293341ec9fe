import { createInterface } from 'node:readline/promises'
import type { Message } from 'parley-client'
import type { Ask } from './chat-command.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { describeEnd, type PrintedReply } from './print-reply.ts'

/** Asks line by line until the input ends, and remembers the conversation meanwhile. */
export async function talk(io: CommandIo, ask: Ask, system: readonly Message[]): Promise<void> {
  const { stdin: input, stderr: output } = io
  const lines = createInterface({ input, output, prompt: '> ' })
  let reply: AbortController | undefined
  // Ctrl-C stops the reply under way; where there is none, it ends the conversation.
  lines.on('SIGINT', () => (reply ? reply.abort() : lines.close()))
  // Ctrl-D during a reply closes the input before the loop comes back to it.
  let open = true
  lines.once('close', () => {
    open = false
  })
  const history = [...system]
  output.write('Type a message. Ctrl-C stops a reply, Ctrl-D ends.\n')
  lines.prompt()
  for await (const line of lines) {
    const content = line.trim()
    if (content !== '') {
      reply = new AbortController()
      const said: Message = { role: 'user', content }
      const answer = await answerOrExplain(io, reply.signal, (signal) =>
        ask([...history, said], signal),
      )
      reply = undefined
      // What was not answered in full is as if it had not been said, so that it can be said again.
      if (answer) history.push(said, { role: 'assistant', content: answer.text })
    }
    if (open) lines.prompt()
  }
  output.write('\n')
}

/** A refusal ends one answer, not the conversation. */
async function answerOrExplain(
  { stderr }: CommandIo,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<PrintedReply>,
): Promise<PrintedReply | undefined> {
  try {
    const answer = await ask(signal)
    stderr.write(`${describeEnd(answer)}\n\n`)
    return answer.finishReason === 'error' ? undefined : answer
  } catch (error) {
    if (signal.aborted) {
      stderr.write('stopped\n\n')
      return undefined
    }
    if (!(error instanceof CommandError)) throw error
    stderr.write(`${error.message}\n\n`)
    return undefined
  }
}
