import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { EnginePlan, EngineWish } from './engine-messages.ts'
import type { EnginePackage, Llama, LlamaChat, LlamaModel, Sequence } from './engine-package.ts'

const MOST_SEQUENCES = 4
/** What of the machine is taken where nobody has said how many replies are made at once. */
const COMFORT = 0.5
/** As many tokens of a prompt as are read at once. */
export const BATCH_TOKENS = 512
/** What the process takes without a model: measured at 130 MB, and 200 after some thousands of tokens. */
const PROCESS_BYTES = 250e6

/** A model file that was looked at. */
export interface PlannedModel {
  readonly plan: EnginePlan
  load(): Promise<LoadedModel>
}

export interface LoadedModel {
  readonly model: LlamaModel
  readonly seats: readonly Seat[]
  /** Those where nobody sits. */
  readonly free: Seat[]
}

/** A place for one conversation in the model's context. */
export interface Seat {
  readonly sequence: Sequence
  readonly chat: LlamaChat
}

/** Reads what the file says of itself, and works out what it takes. Rejects where it is no model. */
export async function planModel(wish: EngineWish): Promise<PlannedModel> {
  const engine = (await import(wish.engine)) as EnginePackage
  const { path } = wish
  const llama = await openEngine(engine, wish)
  const info = await engine.readGgufFileInfo(path, { logWarnings: false })
  const insights = await engine.GgufInsights.from(info, llama)
  const contextTokens = Math.min(wish.contextTokens, insights.trainContextSize ?? Infinity)
  const fileBytes = statSync(path).size
  const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 })
  const bytesWith = async (sequences: number): Promise<number> => {
    const contextSize = contextTokens
    const wanted = { contextSize, sequences, modelGpuLayers: 0, batchSize: BATCH_TOKENS }
    const least = insights.estimateContextResourceRequirements({
      ...wanted,
      includeGraphOverhead: false,
    })
    // To know it to the byte the engine goes through it all, which takes long where it is far too much.
    const isHopeless = least.cpuRam > wish.machineBytes
    const { cpuRam } = isHopeless
      ? least
      : await insights.estimateContextResourceRequirementsV2(wanted)
    // Mapped into memory, the file may count as nothing; read, it is memory all the same.
    return Math.ceil(Math.max(weights.cpuRam, fileBytes) + cpuRam + PROCESS_BYTES)
  }
  let sequences = wish.sequences ?? MOST_SEQUENCES
  let memoryBytes = await bytesWith(sequences)
  while (
    wish.sequences === undefined &&
    sequences > 1 &&
    memoryBytes > wish.machineBytes * COMFORT
  ) {
    sequences -= 1
    memoryBytes = await bytesWith(sequences)
  }
  const threads = wish.threads ?? coresOf(llama)
  const plan = { fileBytes, contextTokens, sequences, threads, memoryBytes }
  return { plan, load: () => loadModel(engine, llama, path, plan) }
}

/** The build for this system's processor alone; Macs have none that leaves the rest out. */
function openEngine(engine: EnginePackage, { threads }: EngineWish): Promise<Llama> {
  const isMac = process.platform === 'darwin' && process.arch === 'arm64'
  return engine.getLlama({
    gpu: isMac ? 'metal' : false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // What it says could quote what it was asked.
    logLevel: engine.LlamaLogLevel.error,
    logger: () => {},
    maxThreads: threads ?? availableParallelism(),
  })
}

function coresOf({ cpuMathCores }: Llama): number {
  return Math.max(1, Math.min(cpuMathCores, availableParallelism()))
}

async function loadModel(
  { LlamaChat }: EnginePackage,
  llama: Llama,
  path: string,
  { contextTokens, sequences, threads }: EnginePlan,
): Promise<LoadedModel> {
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 'auto' })
  const context = await model.createContext({
    contextSize: contextTokens,
    sequences,
    threads,
    batchSize: Math.min(BATCH_TOKENS, contextTokens),
    failedCreationRemedy: false,
  })
  const places = Array.from({ length: sequences }, () => context.getSequence())
  let chatWrapper: LlamaChat['chatWrapper'] | 'auto' = 'auto'
  const seats = places.map((sequence): Seat => {
    const chat: LlamaChat = new LlamaChat({ contextSequence: sequence, chatWrapper })
    // To find out how a model is spoken to takes a while, and is the same for all.
    chatWrapper = chat.chatWrapper
    return { sequence, chat }
  })
  return { model, seats, free: [...seats] }
}
