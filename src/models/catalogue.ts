import { nano, type NanoEuro } from '#platform/money.ts'

export const BRANDS = ['air', 'prime', 'nova'] as const
export type Brand = (typeof BRANDS)[number]

export function isBrand(text: string): text is Brand {
  return (BRANDS as readonly string[]).includes(text)
}

/** What a token costs. The contract's prices a million tokens are whole nano-euros a token. */
export interface Rates {
  readonly input: NanoEuro
  readonly output: NanoEuro
}

/** What is offered under a brand. */
export interface OfferedModel {
  readonly brand: Brand
  /** What the public calls it, e.g. "svc-air-v1". */
  readonly id: string
  readonly contextWindow: number
  readonly maxOutputTokens: number
  /** True where replies carry their reasoning apart from the answer. */
  readonly reasoning: boolean
  readonly tools: boolean
  readonly rates: Rates
}

/** One of the three models on offer, as it is answered for here. */
export interface Model extends OfferedModel {
  /** True where an upstream is told the reasoning of earlier turns that called tools. */
  readonly takesReasoning: boolean
}

export interface ModelLimits {
  readonly contextWindow: number
  readonly maxOutputTokens: number
}

/** Small enough that a short request without `max_tokens` fits the lowest tier's minute. */
export const DEFAULT_LIMITS: Readonly<Record<Brand, ModelLimits>> = {
  air: { contextWindow: 131_072, maxOutputTokens: 4_096 },
  prime: { contextWindow: 262_144, maxOutputTokens: 8_192 },
  nova: { contextWindow: 262_144, maxOutputTokens: 8_192 },
}

const OFFER: Readonly<Record<Brand, Pick<Model, 'reasoning' | 'tools' | 'rates'>>> = {
  air: { reasoning: false, tools: false, rates: { input: nano(260), output: nano(3_100) } },
  prime: { reasoning: false, tools: true, rates: { input: nano(1_800), output: nano(6_200) } },
  nova: { reasoning: true, tools: true, rates: { input: nano(3_200), output: nano(9_500) } },
}

export function describeModel(
  serviceName: string,
  brand: Brand,
  limits: ModelLimits,
): OfferedModel {
  return { brand, id: modelId(serviceName, brand), ...OFFER[brand], ...limits }
}

export function modelId(serviceName: string, brand: Brand): string {
  return `${serviceName}-${brand}-v1`
}
