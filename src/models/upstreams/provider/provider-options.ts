/** The kinds that speak to a provider in its own format, by its package of the AI SDK. */
export type ProviderKind = 'anthropic' | 'google' | 'bedrock'

/** What is set for an upstream of a provider. */
export interface ProviderOptions {
  readonly kind: ProviderKind
  readonly name: string
  /** The provider's own id of the model. */
  readonly model: string
  /** Required but for a Bedrock that signs its requests. */
  readonly apiKey: string | undefined
  /** Another base address than the provider's own. */
  readonly url?: string
  /** Bedrock only: where it is, and what requests are signed with in place of a key. */
  readonly region?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  /** So many of a reply's tokens may be thoughts; they are part of `max_tokens`. */
  readonly thinkingTokens?: number
  /** How hard a model thinks that decides by itself how many tokens that takes. */
  readonly thinkingEffort?: 'low' | 'medium' | 'high'
  /** Default 5 s. */
  readonly connectTimeoutMs?: number
  /** To the first byte; default 60 s. */
  readonly timeoutMs?: number
  /** Between bytes; default 60 s. */
  readonly idleTimeoutMs?: number
}
