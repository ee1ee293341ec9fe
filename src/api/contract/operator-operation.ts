import type { TObject, TSchema } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'
import type { Operation } from './operation.ts'

/** An operation of the operator's surface: fills in what all of them share. */
export function operation<Replies extends ReplyTable>(
  id: string,
  method: Operation['method'],
  path: string,
  { summary, params, query, body, replies, faults = [] }: Declaration<Replies>,
): Operation {
  const checked = params !== undefined || query !== undefined || body !== undefined
  return {
    id,
    method,
    path: `/operator/v1${path}`,
    tag: 'operator',
    summary,
    auth: 'operator_token',
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body: { schema: body[0], examples: { example: body[1] } } }),
    replies: Object.fromEntries(
      Object.entries(replies).map(([status, [description, schema]]) => [
        status,
        {
          description,
          content: schema ? [{ type: 'application/json' as const, schema, examples: {} }] : [],
        },
      ]),
    ),
    faults: [
      ...(checked ? (['invalid_request'] as const) : []),
      'invalid_operator_token',
      'too_many_attempts',
      'not_an_operator',
      ...faults,
      'model_unavailable',
    ],
    headers: ['x-request-id'],
  }
}

interface Declaration<Replies> {
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: readonly [schema: TSchema, example: unknown]
  readonly replies: Replies
  readonly faults?: readonly FaultCode[]
}

type ReplyTable = Readonly<
  Record<number, readonly [description: string, schema: TSchema | undefined]>
>
