import type { TObject, TSchema } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'
import type { Operation } from './operation.ts'

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

/** Fills in what all operations of this surface share. */
export function consoleOperation<Replies extends ReplyTable>(
  id: string,
  method: Operation['method'],
  path: string,
  { summary, params, query, body, replies, faults = [] }: Declaration<Replies>,
): Operation {
  const checked = params !== undefined || query !== undefined || body !== undefined
  const unsafe = method !== 'get'
  return {
    id,
    method,
    path: `/console/api${path}`,
    tag: 'console',
    summary,
    auth: 'session',
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
      'not_signed_in',
      ...(unsafe ? (['foreign_origin'] as const) : []),
      ...faults,
      'model_unavailable',
    ],
    headers: ['x-request-id'],
  }
}
