import {
  createLlamaPool,
  createUpstream,
  type Model,
  type Upstream,
  type UpstreamOptions,
} from '#models/index.ts'
import { nano } from '#platform/money.ts'
import { note, ok, warning, type Finding, type Group } from '../finding.ts'
import { callUpstream, type Reply } from './call-upstream.ts'
import { describeFailure } from './explain-failure.ts'
import {
  findReasoning,
  judgeMaxTokens,
  judgeReasoning,
  judgeStream,
  judgeSystemMessages,
  judgeUsage,
  judgeWhole,
  type Reasoning,
} from './judge-replies.ts'
import { judgeServer, judgeWindow } from './judge-server.ts'
import { judgeAnswered, judgeToolCalls } from './judge-tools.ts'
import { listModels, type ModelList } from './list-models.ts'
import * as questions from './questions.ts'
import type { Use } from './targets.ts'

export interface UpstreamCheck {
  readonly options: UpstreamOptions
  /** How long the list of models may take. */
  readonly timeoutMs: number
  /** How long a reply may take. */
  readonly replyTimeoutMs: number
  /** What is sold of it; nothing where it is not configured yet. */
  readonly uses: readonly Use[]
  /** Told which subject is being looked at. */
  readonly onProgress?: (title: string) => void
}

/** What was found, and what an entry in parley.yaml has to say of it. */
export interface UpstreamReport {
  readonly groups: readonly Group[]
  readonly traits: Traits
}

export interface Traits {
  readonly contextWindow: number | undefined
  readonly reasoning: Reasoning
  readonly callsTools: boolean
  readonly continuousUsage: boolean
  readonly sendReasoning: boolean
}

/** An upstream of a kind that stands for a brand asks what it stands for. */
const MODEL: Model = {
  brand: 'nova',
  id: 'check-nova-v1',
  contextWindow: 131_072,
  maxOutputTokens: 8_192,
  reasoning: true,
  tools: true,
  takesReasoning: false,
  rates: { input: nano(0), output: nano(0) },
}

/** A longer prompt than this is not sent to see it refused: the refusal could be a bill. */
const MAX_TRIED_WINDOW = 300_000
const MAX_TOKENS = 8
/** The default: enough for a reply of ROOM_TOKENS, sent whole. */
const FIRST_BYTE_MS = 60_000
/** How much longer the next request may wait for its first token where the last one was left. */
const WAIT = { times: 3, plusMs: 1_000 } as const

/** One short reply, and what the list of models says. */
export async function checkBriefly(check: UpstreamCheck): Promise<Finding[]> {
  const { options, uses } = check
  const list = await listOf(check)
  const server = list ? judgeServer(list, urlOf(options), modelOf(options)) : []
  if (server.some(({ level }) => level === 'problem')) return server
  const reply = await withUpstream(options, (upstream) =>
    callUpstream(upstream, questions.ask(questions.GREETING, 32, true), {
      timeoutMs: check.replyTimeoutMs,
    }),
  )
  const window = windowOf(list, options)
  const usage = warning(
    'Reports no usage: tokens are counted from the text.',
    'Look closer: parley upstream check',
  )
  return [
    ...server,
    judgeStream(reply),
    ...(reply.failure || reply.usage ? [] : [usage]),
    ...(window === undefined ? [] : judgeWindow(window, uses)),
  ]
}

/** Everything that Parley needs of an upstream, by the code that the service calls it by. */
export async function checkUpstream(check: UpstreamCheck): Promise<UpstreamReport> {
  const { options, uses } = check
  const progress = check.onProgress ?? (() => {})
  progress('Server')
  const list = await listOf(check)
  const server = list ? judgeServer(list, urlOf(options), modelOf(options)) : []
  const contextWindow = windowOf(list, options)
  const windowed = [...server, ...judgeWindow(contextWindow, uses)]
  const nothing = { ...NO_TRAITS, contextWindow }
  if (server.some(({ level }) => level === 'problem')) {
    return { groups: [{ title: 'Server', findings: server }], traits: nothing }
  }
  const told = { ...check, contextWindow, progress }
  return withUpstream(options, async (upstream) => {
    const replies = await lookAtReplies(upstream, told)
    const begun = [{ title: 'Server', findings: windowed }, replies.group]
    if (!replies.answers) return { groups: begun, traits: nothing }
    const tools = await lookAtTools(upstream, told)
    const reasoning = findReasoning([...replies.seen, ...tools.seen])
    const thinking = { title: 'Reasoning', findings: judgeThinking(reasoning, uses) }
    const overflow = await lookAtOverflow(upstream, told)
    const leaving = await lookAtLeaving(upstream, told, replies.firstMs)
    const { continuousUsage } = replies
    const { callsTools, sendReasoning } = tools
    return {
      groups: [...begun, tools.group, thinking, overflow, leaving],
      traits: { contextWindow, reasoning, callsTools, continuousUsage, sendReasoning },
    }
  })
}

const NO_TRAITS: Traits = {
  contextWindow: undefined,
  reasoning: 'none',
  callsTools: false,
  continuousUsage: false,
  sendReasoning: false,
}

interface Told extends UpstreamCheck {
  readonly contextWindow: number | undefined
  readonly progress: (title: string) => void
}

async function lookAtReplies(upstream: Upstream, check: Told) {
  const { options, progress } = check
  progress('Replies')
  const patience = { timeoutMs: check.replyTimeoutMs }
  const question = (streamed: boolean) =>
    questions.ask(questions.SENTENCE, questions.ROOM_TOKENS, streamed)
  const whole = await callUpstream(upstream, question(false), patience)
  const streamed = await callUpstream(upstream, question(true), patience)
  const seen = [whole, streamed]
  const findings = [judgeWhole(whole), judgeStream(streamed)]
  const answers = !streamed.failure
  if (!answers) {
    return {
      group: { title: 'Replies', findings },
      seen,
      answers,
      firstMs: 0,
      continuousUsage: false,
    }
  }
  if (!whole.failure) findings.push(...judgeUsage(whole, streamed, question(true)))
  const short = questions.ask(questions.COUNTING, MAX_TOKENS, true)
  findings.push(judgeMaxTokens(await callUpstream(upstream, short, patience), MAX_TOKENS))
  const two = await callUpstream(upstream, questions.askWithTwoSystemMessages(), patience)
  findings.push(judgeSystemMessages(two))
  const continuous = await tryContinuousUsage(options, check.replyTimeoutMs)
  findings.push(...judgeContinuous(continuous, options))
  return {
    group: { title: 'Replies', findings },
    seen,
    answers,
    firstMs: streamed.firstMs,
    continuousUsage: continuous,
  }
}

/** Whether the server tells usage in each chunk, once it is asked to. */
async function tryContinuousUsage(options: UpstreamOptions, timeoutMs: number): Promise<boolean> {
  if (options.kind !== 'openai') return false
  const request = questions.ask(questions.SENTENCE, 64, true)
  const reply = await withUpstream({ ...options, continuousUsage: true }, (upstream) =>
    callUpstream(upstream, request, { timeoutMs }),
  )
  return !reply.failure && reply.usages > 2
}

function judgeContinuous(works: boolean, options: UpstreamOptions): Finding[] {
  if (options.kind !== 'openai') return []
  if (works && options.continuousUsage !== true) {
    const advice = 'Set continuous_usage: true: replies that break off are then charged exactly.'
    return [note('Can report usage with each chunk.', advice)]
  }
  if (works) return [ok('Reports usage with each chunk, as continuous_usage asks for.')]
  if (options.continuousUsage !== true) return []
  const found = 'Does not report usage with each chunk, though continuous_usage asks for it.'
  return [warning(found, 'Take continuous_usage out.')]
}

async function lookAtTools(upstream: Upstream, check: Told) {
  const { options, uses, replyTimeoutMs: timeoutMs, progress } = check
  progress('Tools')
  if (uses.length > 0 && uses.every(({ brand }) => brand === 'air')) {
    const findings = [note('Not looked at: air sells no tools.')]
    return {
      group: { title: 'Tools', findings },
      seen: [],
      callsTools: false,
      sendReasoning: false,
    }
  }
  const whole = await callUpstream(upstream, questions.askForTools(false), { timeoutMs })
  const streamed = await callUpstream(upstream, questions.askForTools(true), { timeoutMs })
  const findings = judgeToolCalls(whole, streamed)
  const seen: Reply[] = [whole, streamed]
  const callsTools = findings.every(({ level }) => level !== 'warning')
  if (streamed.calls.length === 0) {
    return { group: { title: 'Tools', findings }, seen, callsTools, sendReasoning: false }
  }
  const turn = { toolCalls: streamed.calls, reasoning: streamed.reasoning }
  const request = questions.askWithAnswers(turn)
  const plain = await callUpstream(upstream, request, { timeoutMs })
  const isOpenai = options.kind === 'openai'
  const other =
    plain.failure && isOpenai
      ? await withUpstream({ ...options, sendReasoning: true }, (one) =>
          callUpstream(one, request, { timeoutMs }),
        )
      : undefined
  findings.push(judgeAnswered(plain, other))
  const sendReasoning =
    (isOpenai && options.sendReasoning === true && !plain.failure) || (!!other && !other.failure)
  return { group: { title: 'Tools', findings }, seen, callsTools, sendReasoning }
}

function judgeThinking(reasoning: Reasoning, uses: readonly Use[]): Finding[] {
  const hidden = uses.map(({ brand }) => brand).filter((brand) => brand !== 'nova')
  if (reasoning === 'none' && uses.length > 0 && hidden.length === uses.length) {
    return [ok('Shows no reasoning, and none is sold of it.')]
  }
  if (reasoning === 'none' || hidden.length === 0) return [judgeReasoning(reasoning)]
  const found = `Thinks, which ${hidden.join(' and ')} does not show, and its callers pay for.`
  return [note(found, 'Put models there that do not think, or switch thinking off in the server.')]
}

/** A prompt that is too long must be refused in words that we know, and not be cut silently. */
async function lookAtOverflow(upstream: Upstream, check: Told): Promise<Group> {
  const { contextWindow, progress, replyTimeoutMs: timeoutMs } = check
  const title = 'Long prompts'
  progress(title)
  if (contextWindow === undefined || contextWindow > MAX_TRIED_WINDOW) {
    const why =
      contextWindow === undefined ? 'is not told' : 'is long, and the answer could be dear'
    return { title, findings: [note(`Not tried: its context ${why}.`)] }
  }
  const request = questions.askTooMuch(contextWindow)
  const { failure } = await callUpstream(upstream, request, { timeoutMs })
  if (failure?.kind === 'context_overflow') {
    return { title, findings: [ok('Refuses a prompt longer than its context: callers get 400.')] }
  }
  const advice = `Keep context_window a quarter below ${contextWindow}: Parley then refuses such prompts itself.`
  const found = failure
    ? `Answers a prompt longer than its context with: ${describeFailure(failure)}. Callers would get 502.`
    : 'Takes a prompt longer than its context: it cuts it, and says nothing.'
  return { title, findings: [warning(found, advice)] }
}

/** Whether it goes on generating for nobody shows only in how long the next request waits. */
async function lookAtLeaving(upstream: Upstream, check: Told, firstMs: number): Promise<Group> {
  const title = 'Callers who leave'
  const { progress, replyTimeoutMs: timeoutMs } = check
  progress(title)
  const long = questions.ask(questions.COUNTING, questions.ROOM_TOKENS * 4, true)
  await callUpstream(upstream, long, { timeoutMs, leaveAfter: 3 })
  const short = questions.ask(questions.GREETING, 32, true)
  const next = await callUpstream(upstream, short, { timeoutMs })
  const waitedMs = Math.round(next.firstMs)
  if (!next.failure && waitedMs <= firstMs * WAIT.times + WAIT.plusMs) {
    const found = `After a reply that was left, the next began within ${waitedMs} ms: it seems to stop at once.`
    return { title, findings: [ok(found)] }
  }
  const after = next.failure ? describeFailure(next.failure) : `first token after ${waitedMs} ms`
  const found = `After a reply that was left, the next one waits (${after}): it seems to go on for nobody.`
  return { title, findings: [warning(found, 'Update the server, or the proxy before it.')] }
}

async function withUpstream<Result>(
  options: UpstreamOptions,
  use: (upstream: Upstream) => Promise<Result>,
): Promise<Result> {
  const llamas = createLlamaPool({ info() {}, error() {} })
  const upstream = await createUpstream(waitLong(options), MODEL, llamas)
  try {
    return await use(upstream)
  } finally {
    await upstream.close()
  }
}

/** With less time to its first byte a reply that is wanted whole would be asked for as a stream. */
function waitLong(options: UpstreamOptions): UpstreamOptions {
  if (options.kind !== 'openai') return options
  return { ...options, timeoutMs: Math.max(options.timeoutMs ?? 0, FIRST_BYTE_MS) }
}

async function listOf({ options, timeoutMs }: UpstreamCheck): Promise<ModelList | undefined> {
  if (options.kind !== 'openai') return undefined
  return listModels(options.url, options.apiKey, timeoutMs)
}

function windowOf(list: ModelList | undefined, options: UpstreamOptions): number | undefined {
  if (list?.kind !== 'listed') return undefined
  const { models } = list
  return models.find(({ id }) => id === modelOf(options))?.contextWindow
}

/** None where it is not known yet: the list then says which there are. */
function modelOf(options: UpstreamOptions): string | undefined {
  return 'model' in options && options.model !== '' ? options.model : undefined
}

function urlOf(options: UpstreamOptions): string {
  return 'url' in options ? options.url : ''
}
