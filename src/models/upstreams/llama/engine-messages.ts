import type { Prompt } from '../../prompt.ts'

/** What the service says to the process that runs a model file. */
export type EngineOrder =
  | { readonly kind: 'plan'; readonly wish: EngineWish }
  /** Load what was planned. */
  | { readonly kind: 'load' }
  | { readonly kind: 'generate'; readonly id: number; readonly request: EngineRequest }
  | { readonly kind: 'cancel'; readonly id: number }

/** What that process says. */
export type EngineNews =
  | { readonly kind: 'planned'; readonly plan: EnginePlan }
  | { readonly kind: 'loaded' }
  /** It cannot go on. The reason names no content. */
  | { readonly kind: 'broken'; readonly reason: string }
  | ({ readonly kind: 'piece'; readonly id: number } & EnginePiece)
  | {
      readonly kind: 'call'
      readonly id: number
      readonly name: string
      readonly arguments: string
    }
  /** The last of a request: its sequence is free. */
  | { readonly kind: 'end'; readonly id: number; readonly end: EngineEnd }

export interface EngineWish {
  /** The URL of the engine's package. */
  readonly engine: string
  readonly path: string
  readonly contextTokens: number
  /** Undefined: as many as fit, and no more than are worth it. */
  readonly sequences: number | undefined
  /** Undefined: as many as the processor has cores for such work. */
  readonly threads: number | undefined
  /** What the machine, or the container, has. */
  readonly machineBytes: number
}

export interface EnginePlan {
  readonly fileBytes: number
  /** For each sequence. */
  readonly contextTokens: number
  readonly sequences: number
  readonly threads: number
  /** The most memory that it takes once it is loaded. */
  readonly memoryBytes: number
}

export interface EngineRequest {
  readonly prompt: Prompt
  readonly maxTokens: number
  readonly temperature: number | undefined
  /** Whether thoughts are wanted. */
  readonly thinks: boolean
}

export interface EnginePiece {
  readonly part: 'content' | 'reasoning' | 'tool_call'
  readonly text: string
  /** Totals so far. */
  readonly usage: EngineUsage
}

export interface EngineUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export type EngineEnd =
  | { readonly kind: 'finished'; readonly reason: string; readonly usage: EngineUsage }
  | { readonly kind: 'overflow'; readonly promptTokens: number }
  | { readonly kind: 'cancelled' }
  /** The reason names no content. */
  | { readonly kind: 'failed'; readonly reason: string }
