import { ask, readObject } from '../ask.ts'

/** What a server says of the models that it has. */
export type ModelList =
  | {
      readonly kind: 'listed'
      readonly models: readonly ListedModel[]
      /** Whether the connection is kept for the next request. */
      readonly keepsConnection: boolean
    }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface ListedModel {
  readonly id: string
  /** Tokens, where the server tells them; under which name differs. */
  readonly contextWindow: number | undefined
}

interface WireModel {
  readonly id?: unknown
  /** vLLM and SGLang. */
  readonly max_model_len?: unknown
  /** OpenRouter, LM Studio and others. */
  readonly context_length?: unknown
  readonly context_window?: unknown
  readonly max_context_length?: unknown
}

/** Asks for `GET {url}/models`. */
export async function listModels(
  url: string,
  apiKey: string | undefined,
  timeoutMs: number,
): Promise<ModelList> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const answer = await ask(`${url.replace(/\/$/, '')}/models`, { timeoutMs, headers })
  if (answer.kind === 'failed') return { kind: 'unreachable', reason: answer.reason }
  const list = readObject<{ data?: unknown }>(answer.text)?.data
  if (answer.status !== 200 || !Array.isArray(list)) {
    return { kind: 'refused', status: answer.status }
  }
  return {
    kind: 'listed',
    models: (list as WireModel[]).flatMap(readModel),
    keepsConnection: String(answer.headers['connection']).toLowerCase() !== 'close',
  }
}

function readModel(model: WireModel | null): ListedModel[] {
  if (typeof model?.id !== 'string') return []
  const { max_model_len, context_length, context_window, max_context_length } = model
  const sizes = [max_model_len, context_length, context_window, max_context_length]
  const contextWindow = sizes.find((size) => Number.isSafeInteger(size) && (size as number) > 0)
  return [{ id: model.id, contextWindow: contextWindow as number | undefined }]
}
