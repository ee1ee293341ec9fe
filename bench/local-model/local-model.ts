import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from 'parley-client'
import { startChildService } from '../../test/support/child-service.ts'
import { listEngines } from '../../test/support/llama/engine-processes.ts'
import type { Pace, Report } from '../report.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import { QWEN3_0_6B, QWEN3_1_7B, writeShapedModel, type Shape } from './write-shaped-model.ts'

/** Where `.ci/run` installs the engine. */
const ENGINE = fileURLToPath(new URL('../../node_modules/.cache/engine', import.meta.url))
/** Characters are tokens here: the vocabulary of noise has no longer pieces that a text is cut into. */
const SHORT = 100
const LONG = 1_100
const REPLY_TOKENS = 64
const AT_ONCE = 4
/** Loading a large file from a cold disk. */
const PATIENCE_MS = 300_000

interface Measured {
  readonly fileMb: number
  readonly loadS: number
  readonly residentMb: number
  readonly promptPerS: number
  readonly replyPerS: number
  readonly togetherPerS: number
}

/** How fast models of published shapes run on this machine's processor, through the whole service. */
export async function runLocalModelBench({ rounds }: Pace): Promise<Report> {
  const rows: string[][] = []
  for (const shape of [QWEN3_0_6B, QWEN3_1_7B]) {
    rows.push(describe(shape, await measure(shape, rounds)))
  }
  return {
    title: 'Models that run on this machine',
    tables: [
      {
        columns: [
          'shape, weights of 8 bits',
          'file, MB',
          'to the first reply, s',
          'memory, MB',
          'prompt, tokens/s',
          'reply, tokens/s',
          `${AT_ONCE} at once, tokens/s in all`,
        ],
        rows,
      },
    ],
    notes: [
      'The weights are noise, of the shape that the makers publish: no published weights were run. Speed does not ' +
        `depend on what is in them. Replies of ${REPLY_TOKENS} tokens over HTTP; the speed of prompts is that of the ` +
        `${LONG - SHORT} tokens by which a long one differs from a short one; memory is that of the engine's process, ` +
        `the file that it maps included. Each speed is the best of ${rounds} rounds: the engine's threads wait for each ` +
        'other at every step, so whatever else runs on the machine costs many times its share.',
    ],
    problems: [],
  }
}

function describe({ name }: Shape, measured: Measured): string[] {
  const { fileMb, loadS, residentMb, promptPerS, replyPerS, togetherPerS } = measured
  const figures = [fileMb, residentMb, promptPerS].map((figure) => figure.toFixed(0))
  const [file = '', memory = '', prompt = ''] = figures
  return [
    name,
    file,
    loadS.toFixed(1),
    memory,
    prompt,
    replyPerS.toFixed(1),
    togetherPerS.toFixed(1),
  ]
}

async function measure(shape: Shape, rounds: number): Promise<Measured> {
  const dataDir = createTemporaryDirectory()
  const path = join(dataDir, 'models', 'shaped.gguf')
  mkdirSync(join(dataDir, 'models'))
  symlinkSync(ENGINE, join(dataDir, 'engine'))
  writeShapedModel(path, shape)
  const startedMs = performance.now()
  const service = await startChildService({ dataDir })
  try {
    const { key } = await service.openAccount('measured')
    const client = createClient({ baseUrl: `${service.origin}/v1`, apiKey: key })
    await converse(client, SHORT, 1)
    const loadS = (performance.now() - startedMs) / 1_000
    const alone: Timed[] = []
    const prompts: number[] = []
    const together: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const short = await converse(client, SHORT, REPLY_TOKENS)
      const long = await converse(client, LONG, 1)
      alone.push(short)
      prompts.push((long.promptTokens - short.promptTokens) / (long.firstS - short.firstS))
      together.push(await converseTogether(client))
    }
    return {
      fileMb: statSync(path).size / 1e6,
      loadS,
      residentMb: readResidentMb(listEngines(service.child.process.pid)),
      promptPerS: Math.max(...prompts),
      replyPerS: Math.max(...alone.map(({ tokens, replyS }) => (tokens - 1) / replyS)),
      togetherPerS: Math.max(...together),
    }
  } finally {
    await service.child.kill()
    removeDirectory(dataDir)
  }
}

interface Timed {
  readonly promptTokens: number
  readonly tokens: number
  /** Until the first token, and from there to the last. */
  readonly firstS: number
  readonly replyS: number
}

let asked = 0

/** No two prompts begin alike: what the engine has read once it does not read again. */
async function converse(client: Client, characters: number, tokens: number): Promise<Timed> {
  asked += 1
  const content = `${asked} `.repeat(characters).slice(0, characters)
  const request = { messages: [{ role: 'user' as const, content }], max_tokens: tokens }
  const sentMs = performance.now()
  let firstMs: number | undefined
  let usage: { prompt_tokens: number; completion_tokens: number } | undefined
  for await (const chunk of await client.stream('air', request, { timeoutMs: PATIENCE_MS })) {
    if (chunk.choices[0]?.delta.content) firstMs ??= performance.now()
    usage = chunk.usage ?? usage
  }
  if (!usage || firstMs === undefined) throw new Error('there was no reply')
  return {
    promptTokens: usage.prompt_tokens,
    tokens: usage.completion_tokens,
    firstS: (firstMs - sentMs) / 1_000,
    replyS: (performance.now() - firstMs) / 1_000,
  }
}

/** Tokens a second of all, from the first one on: while some are written, the prompts of others are read. */
async function converseTogether(client: Client): Promise<number> {
  const startedMs = performance.now()
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, () => converse(client, SHORT, REPLY_TOKENS)),
  )
  const firstS = Math.min(...replies.map((reply) => reply.firstS))
  const tokens = replies.reduce((sum, reply) => sum + reply.tokens, 0)
  return tokens / ((performance.now() - startedMs) / 1_000 - firstS)
}

/** Of processes, with the pages of files that they map. */
function readResidentMb(pids: readonly number[]): number {
  const kibibytes = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? NaN)
  })
  return (kibibytes.reduce((sum, one) => sum + one, 0) * 1_024) / 1e6
}
