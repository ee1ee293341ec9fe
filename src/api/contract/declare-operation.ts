import type { TObject, TSchema } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'
import type { Operation } from './operation.ts'

/** What an operation says of itself; what it shares with its surface is filled in. */
export interface Declaration<Replies> {
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: readonly [schema: TSchema, example: unknown]
  readonly replies: Replies
  readonly faults?: readonly FaultCode[]
}

export type ReplyTable = Readonly<
  Record<number, readonly [description: string, schema: TSchema | undefined]>
>

/** What all operations of a surface share. */
export interface Surface extends Pick<Operation, 'tag' | 'auth'> {
  readonly prefix: string
  /** What any of them can be refused with, before it is looked at. */
  readonly faults: readonly FaultCode[]
}

/** An operation that answers in JSON and is asked with some credentials. */
export function declareOperation<Replies extends ReplyTable>(
  { prefix, faults: shared, ...surface }: Surface,
  { id, method, path }: Pick<Operation, 'id' | 'method' | 'path'>,
  { summary, params, query, body, replies, faults = [] }: Declaration<Replies>,
): Operation {
  const checked = params !== undefined || query !== undefined || body !== undefined
  return {
    id,
    method,
    path: prefix + path,
    summary,
    ...surface,
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
      ...shared,
      ...faults,
      'model_unavailable',
    ],
    headers: ['x-request-id'],
  }
}
