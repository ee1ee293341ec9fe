import type { Static, TObject, TSchema } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'
import type { Operation, ReplyContent } from './operation.ts'

/** What an operation says of itself; what it shares with its surface is filled in. */
export interface Declaration {
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: readonly [schema: TSchema, example: unknown]
  readonly replies: ReplyTable
  /** Where the reply is a stream of events, each of which carries its schema: one as an example. */
  readonly transcript?: string
  readonly faults?: readonly FaultCode[]
}

export type ReplyTable = Readonly<
  Record<number, readonly [description: string, schema: TSchema | undefined]>
>

/** An operation that still knows, as types alone, what it is asked and what it answers. */
export interface Declared<
  Method extends Operation['method'],
  Path extends string,
  Given extends Declaration,
> extends Operation {
  readonly method: Method
  readonly path: Path
  /** Never there: it carries the types that `Call` reads. */
  readonly declaration?: Given
}

/** What a client sends and gets back, by the types of a declaration. */
export interface Call<Given extends Declaration> {
  readonly params: Given['params'] extends TObject ? Static<Given['params']> : undefined
  readonly query: Given['query'] extends TObject ? Static<Given['query']> : undefined
  readonly body: Given['body'] extends readonly [infer Body extends TSchema, unknown]
    ? Static<Body>
    : undefined
  readonly reply: ReplyOf<Given['replies'][keyof Given['replies']]>
}

type ReplyOf<Reply> = Reply extends readonly [string, infer Schema]
  ? Schema extends TSchema
    ? Static<Schema>
    : undefined
  : never

/** What all operations of a surface share. */
export interface Surface<Prefix extends string> extends Pick<Operation, 'tag' | 'auth'> {
  readonly prefix: Prefix
  /** What any of them can be refused with, before it is looked at. */
  readonly faults: readonly FaultCode[]
}

/** An operation that answers in JSON, or with events of JSON, and is asked with some credentials. */
export function declareOperation<
  const Method extends Operation['method'],
  const Prefix extends string,
  const Path extends string,
  const Given extends Declaration,
>(
  { prefix, faults: shared, ...surface }: Surface<Prefix>,
  { id, method, path }: { readonly id: string; readonly method: Method; readonly path: Path },
  { summary, params, query, body, replies, transcript, faults = [] }: Given,
): Declared<Method, `${Prefix}${Path}`, Given> {
  const checked = params !== undefined || query !== undefined || body !== undefined
  return {
    id,
    method,
    path: `${prefix}${path}`,
    summary,
    ...surface,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body: { schema: body[0], examples: { example: body[1] } } }),
    replies: Object.fromEntries(
      Object.entries(replies).map(([status, [description, schema]]) => [
        status,
        { description, content: schema ? [describeContent(schema, transcript)] : [] },
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

function describeContent(schema: TSchema, transcript: string | undefined): ReplyContent {
  if (transcript === undefined) return { type: 'application/json', schema, examples: {} }
  return { type: 'text/event-stream', schema, examples: { transcript } }
}
