import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  createClient,
  RefusedError,
  type Brand,
  type ChatRequest,
  type Client,
  type Message,
  type ParleyError,
} from 'parley-client'
import { checkToken, readServiceUrl } from './call-service.ts'
import { talk } from './chat-loop.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample } from './data-command.ts'
import { describeRefusal, explainChatFailure } from './explain-chat-failure.ts'
import { describeEnd, printStreamedReply, type PrintedReply } from './print-reply.ts'

interface ChatOptions {
  readonly brand: Brand
  readonly key?: string
  readonly system?: string
  readonly maxTokens?: number
}

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
    .option('--max-tokens <count>', 'the most that the reply may have', parseCount)
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

function createAsk(io: CommandIo, { brand, maxTokens, ...options }: ChatOptions): Ask {
  const url = readServiceUrl(io)
  const client = createKeyClient(io, url, options)
  return async (messages, signal) => {
    const request: ChatRequest = { messages: [...messages] }
    if (maxTokens !== undefined) request.max_tokens = maxTokens
    try {
      return await printStreamedReply(io, await client.stream(brand, request, { signal }))
    } catch (error) {
      throw explainChatFailure(url, error)
    }
  }
}

function createKeyClient(io: CommandIo, url: string, options: Pick<ChatOptions, 'key'>): Client {
  const { key: apiKey = io.env['PARLEY_API_KEY'] } = options
  if (!apiKey) {
    throw new CommandError(
      'No API key: give --key or set PARLEY_API_KEY. A new one: parley key create ACCOUNT --name chat',
    )
  }
  checkToken(apiKey)
  return createClient({ baseUrl: `${url}/v1`, apiKey, onRetry: tellRetry(io) })
}

/** A person wants to know what they wait for; where no service is running they need not wait. */
function tellRetry({ stderr }: CommandIo): (error: ParleyError, waitMs: number) => void {
  return (error, waitMs) => {
    if (!(error instanceof RefusedError)) throw error
    const seconds = Math.max(1, Math.round(waitMs / 1_000))
    stderr.write(`${describeRefusal(error)} Trying again in ${seconds} s; Ctrl-C stops.\n`)
  }
}

async function askOnce(io: CommandIo, ask: Ask, messages: readonly Message[]): Promise<void> {
  const reply = await ask(messages, new AbortController().signal)
  if (reply.finishReason === 'error') throw new CommandError(describeEnd(reply))
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

function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number of at least 1.')
}
