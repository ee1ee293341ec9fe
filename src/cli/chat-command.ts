import { Option, type Command } from 'commander'
import type { ChatRequest } from '#api/contract/index.ts'
import { readServiceUrl } from './call-service.ts'
import { talk } from './chat-loop.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample } from './data-command.ts'
import { describeEnd, printStreamedReply, type PrintedReply } from './print-reply.ts'
import { streamCompletion } from './stream-completion.ts'

interface ChatOptions {
  readonly brand: string
  readonly key?: string
  readonly system?: string
}

export type Message = ChatRequest['messages'][number]

/** Sends the conversation and writes the reply as it arrives. */
export type Ask = (messages: readonly Message[], signal: AbortSignal) => Promise<PrintedReply>

/** Beyond this the service is sure to refuse it, whatever it counts as a character. */
const MOST_LENGTH = 400_000

export function addChatCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('chat')
    .description('Talk to a model: once with a message, else line by line')
    .argument('[message...]', 'what to say; read from stdin if that is a pipe')
    .addOption(
      new Option('--brand <brand>', 'which model answers')
        .choices(['air', 'prime', 'nova'])
        .default('air'),
    )
    .option('--key <key>', 'the API key (default: PARLEY_API_KEY)')
    .option('--system <text>', 'instructions that come first')
    .action(async (words: string[], options: ChatOptions) => {
      const ask = createAsk(io, options)
      const system: Message[] =
        options.system === undefined ? [] : [{ role: 'system', content: options.system }]
      if (words.length === 0 && io.stdin.isTTY) return talk(io, ask, system)
      const content = words.length > 0 ? words.join(' ') : await readPiped(io)
      return askOnce(io, ask, [...system, { role: 'user', content }])
    })
  addExample(command, 'parley chat --brand nova "Why is the sky blue?"')
}

function createAsk(io: CommandIo, { brand, key = io.env['PARLEY_API_KEY'] }: ChatOptions): Ask {
  const url = readServiceUrl(io)
  if (!key) {
    throw new CommandError(
      'No API key: give --key or set PARLEY_API_KEY. A new one: parley key create ACCOUNT --name chat',
    )
  }
  return (messages, signal) => {
    const request = { messages: [...messages] }
    return printStreamedReply(io, streamCompletion({ url, token: key, brand, request, signal }))
  }
}

async function askOnce(io: CommandIo, ask: Ask, messages: readonly Message[]): Promise<void> {
  const reply = await ask(messages, new AbortController().signal)
  if (reply.finishReason === 'error') {
    throw new CommandError('The reply broke off: the model failed. Ask again.')
  }
  const isWhole = reply.finishReason === 'stop'
  if (io.stderr.isTTY || !isWhole) io.stderr.write(`${describeEnd(reply)}\n`)
}

async function readPiped({ stdin }: CommandIo): Promise<string> {
  let text = ''
  for await (const piece of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece
    if (text.length > MOST_LENGTH) throw new CommandError('The message on stdin is too long.')
  }
  if (text.trim() !== '') return text.trim()
  throw new CommandError('Nothing to say: give a message, as in parley chat "Hello!"')
}
