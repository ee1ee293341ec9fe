import { NANO_PER_EURO } from '#platform/money.ts'
import type { Model } from '#models/index.ts'
import type { ModelItem } from '../contract/index.ts'

/** A price a token in nano-euros is, times a million, a price in euros a million tokens. */
const NANO_PER_TOKEN_TO_EUR_PER_MILLION = NANO_PER_EURO / 1_000_000

export function writeModelList(serviceName: string, models: readonly Model[]) {
  return { object: 'list', data: models.map((model) => writeModelItem(serviceName, model)) }
}

export function writeModelItem(serviceName: string, model: Model): ModelItem {
  return {
    id: model.id,
    object: 'model',
    owned_by: serviceName,
    endpoint: `/v1/chat/${model.brand}`,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    reasoning: model.reasoning,
    pricing_eur_per_1m: {
      inPerM: model.rates.input / NANO_PER_TOKEN_TO_EUR_PER_MILLION,
      outPerM: model.rates.output / NANO_PER_TOKEN_TO_EUR_PER_MILLION,
    },
  }
}
