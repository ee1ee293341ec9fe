import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Prompt } from '../../prompt.ts'
import type { ProviderOptions } from './provider-options.ts'

export interface Thinking {
  /** Undefined where nothing is said of it, and the model does what it does by itself. */
  readonly providerOptions: NonNullable<LanguageModelV4CallOptions['providerOptions']> | undefined
  /** What the provider's package puts on top of the tokens that it is given. */
  readonly addsToMaxTokens: number
}

const AS_THE_MODEL_DOES: Thinking = { providerOptions: undefined, addsToMaxTokens: 0 }

/** Less than this Claude refuses to think with. */
const LEAST_TOKENS = 1_024

/** How a request's reply is to be thought about, in each provider's own words. */
export function chooseThinking(
  { kind, thinkingTokens, thinkingEffort }: ProviderOptions,
  prompt: Prompt,
  maxTokens: number,
): Thinking {
  // What is left for thoughts must leave something for the answer.
  const budget = Math.min(thinkingTokens ?? 0, Math.floor(maxTokens / 2))
  if (kind === 'google') {
    if (thinkingTokens === undefined && !thinkingEffort) return AS_THE_MODEL_DOES
    const limit = thinkingEffort ? { thinkingLevel: thinkingEffort } : { thinkingBudget: budget }
    const thinkingConfig = { includeThoughts: true, ...limit }
    return { providerOptions: { google: { thinkingConfig } }, addsToMaxTokens: 0 }
  }
  // Claude goes on thinking after its tools have answered only with its own signed thoughts of before,
  // which the contract has no place for.
  if (prompt.messages.at(-1)?.role === 'tool') return AS_THE_MODEL_DOES
  if (thinkingEffort) {
    const adaptive = { type: 'adaptive' } as const
    const providerOptions =
      kind === 'anthropic'
        ? { anthropic: { thinking: adaptive, effort: thinkingEffort } }
        : { bedrock: { reasoningConfig: { ...adaptive, maxReasoningEffort: thinkingEffort } } }
    return { providerOptions, addsToMaxTokens: 0 }
  }
  if (budget < LEAST_TOKENS) return AS_THE_MODEL_DOES
  const enabled = { type: 'enabled', budgetTokens: budget } as const
  const providerOptions =
    kind === 'anthropic'
      ? { anthropic: { thinking: enabled } }
      : { bedrock: { reasoningConfig: enabled } }
  return { providerOptions, addsToMaxTokens: budget }
}
