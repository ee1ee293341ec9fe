/**
 * What we use of node-llama-cpp, which is loaded by its URL: it need not be where types are looked for.
 * Its own types are the source; the tests on the real engine hold these.
 */
export interface EnginePackage {
  getLlama(options: object): Promise<Llama>
  readGgufFileInfo(path: string, options: object): Promise<GgufFileInfo>
  readonly GgufInsights: {
    from(info: GgufFileInfo, llama: Llama): Promise<GgufInsights>
  }
  readonly LlamaChat: new (options: {
    readonly contextSequence: Sequence
    readonly chatWrapper: LlamaChat['chatWrapper'] | 'auto'
  }) => LlamaChat
  readonly LlamaLogLevel: { readonly error: string }
}

export interface GgufFileInfo {
  readonly version: number
}

export interface GgufInsights {
  readonly trainContextSize: number | undefined
  estimateModelResourceRequirementsV2(options: object): Promise<Requirements>
  estimateContextResourceRequirements(options: object): Requirements
  estimateContextResourceRequirementsV2(options: object): Promise<Requirements>
}

/** Bytes. */
export interface Requirements {
  readonly cpuRam: number
  readonly gpuVram: number
}

export interface Llama {
  readonly cpuMathCores: number
  loadModel(options: object): Promise<LlamaModel>
}

export interface LlamaModel {
  readonly tokenizer: Tokenizer
  createContext(options: object): Promise<{ getSequence(): Sequence }>
}

export type Token = number & { readonly token: unique symbol }
export type Tokenizer = (text: string, specialTokens?: boolean) => Token[]

export interface Sequence {
  /** Tokens of one conversation, reply included. */
  readonly contextSize: number
  readonly nextTokenIndex: number
  readonly tokenMeter: { readonly usedOutputTokens: number }
  compareContextTokens(tokens: readonly Token[]): { readonly firstDifferentIndex: number }
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>
}

export interface LlamaChat {
  readonly chatWrapper: {
    readonly settings: {
      readonly segments?: { readonly thought?: { readonly openOnResponseStart?: boolean } }
    }
    generateContextState(options: {
      readonly chatHistory: readonly HistoryItem[]
      readonly availableFunctions: EngineFunctions | undefined
      readonly documentFunctionParams: boolean
    }): { readonly contextText: { tokenize(tokenizer: Tokenizer): Token[] } }
  }
  generateResponse(
    history: readonly HistoryItem[],
    options: object,
  ): Promise<{ readonly metadata: { readonly stopReason: string } }>
}

export type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: ResponseItem[] }

export type ResponseItem =
  | string
  | {
      readonly type: 'functionCall'
      readonly name: string
      readonly params: unknown
      readonly result: unknown
      readonly startsNewChunk: boolean
    }
  | {
      readonly type: 'segment'
      readonly segmentType: 'thought'
      readonly text: string
      readonly ended: boolean
    }

export type EngineFunctions = Readonly<
  Record<string, { readonly description: string; readonly params: object | undefined }>
>

/** A piece of a reply, as it is made. */
export interface ResponseChunk {
  readonly segmentType: 'thought' | 'comment' | undefined
  readonly text: string
}
