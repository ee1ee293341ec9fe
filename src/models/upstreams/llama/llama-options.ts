/** What is set for an upstream that runs a model file here. */
export interface LlamaOptions {
  readonly kind: 'llama'
  readonly name: string
  /** Of a GGUF file, absolute. */
  readonly path: string
  /** Where the engine may be installed. */
  readonly dataDir: string
  /** What one conversation may take, reply included; default 8192, or less where the model knows less. */
  readonly contextTokens?: number
  /** How many replies are made at once; default 4, or fewer where memory is short. */
  readonly sequences?: number
  /** Default: as many as the processor has cores for such work. */
  readonly threads?: number
}

export const DEFAULT_CONTEXT_TOKENS = 8_192
