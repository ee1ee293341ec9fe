import { Type, type Static } from 'typebox'

export function describeModelItem(serviceName: string, modelIds: readonly string[]) {
  return Type.Object(
    {
      id: Type.Enum([...modelIds]),
      object: Type.Literal('model'),
      owned_by: Type.Literal(serviceName),
      endpoint: Type.Enum(['/v1/chat/air', '/v1/chat/prime', '/v1/chat/nova']),
      context_window: Type.Integer({ minimum: 1, description: 'In tokens.' }),
      max_output_tokens: Type.Integer({ minimum: 1 }),
      reasoning: Type.Boolean({ description: 'Whether replies carry reasoning_content.' }),
      pricing_eur_per_1m: Type.Object({
        inPerM: Type.Number({ description: 'EUR for a million input tokens.' }),
        outPerM: Type.Number({ description: 'EUR for a million output tokens.' }),
      }),
    },
    { title: 'Model' },
  )
}
export type ModelItem = Static<ReturnType<typeof describeModelItem>>

export function describeModelList(item: ReturnType<typeof describeModelItem>) {
  return Type.Object(
    { object: Type.Literal('list'), data: Type.Array(item) },
    { title: 'ModelList' },
  )
}
