import { Type, type Static } from 'typebox'
import { ToolCall } from './chat-request.ts'

export const FinishReason = Type.Enum(['stop', 'length', 'tool_calls', 'content_filter', 'error'], {
  title: 'FinishReason',
  description:
    'stop: the model finished. length: max_tokens was reached. tool_calls: the model waits for a function. content_filter: the provider withheld the rest. error: the reply broke off.',
})

export const Usage = Type.Object(
  {
    prompt_tokens: Type.Integer({ minimum: 0 }),
    completion_tokens: Type.Integer({ minimum: 0, description: 'Reasoning included.' }),
    total_tokens: Type.Integer({ minimum: 0 }),
  },
  { title: 'Usage', description: 'The tokens that the request is charged for.' },
)

const Created = Type.Integer({ minimum: 0, description: 'Unix time in seconds.' })

const ReplyMessage = Type.Object({
  role: Type.Literal('assistant'),
  content: Type.String(),
  tool_calls: Type.Optional(Type.Array(ToolCall)),
  reasoning_content: Type.Optional(
    Type.String({ description: 'The reasoning trace; nova only, apart from the answer.' }),
  ),
})

/** The model ids carry the service's own name, so replies are described for one service. */
export function describeCompletion(modelIds: readonly string[]) {
  return Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('chat.completion'),
      created: Created,
      model: Type.Enum([...modelIds]),
      choices: Type.Array(
        Type.Object({
          index: Type.Integer({ minimum: 0 }),
          message: ReplyMessage,
          finish_reason: FinishReason,
        }),
      ),
      usage: Usage,
    },
    { title: 'ChatCompletion' },
  )
}
export type ChatCompletion = Static<ReturnType<typeof describeCompletion>>

const ToolCallDelta = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Which call of the reply this is.' }),
    ...ToolCall.properties,
  },
  { title: 'ToolCallDelta', description: 'A tool call, whole, its arguments complete.' },
)

const Delta = Type.Object({
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(Type.String()),
  reasoning_content: Type.Optional(Type.String()),
  tool_calls: Type.Optional(Type.Array(ToolCallDelta)),
})

export function describeChunk(modelIds: readonly string[]) {
  return Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('chat.completion.chunk'),
      created: Created,
      model: Type.Enum([...modelIds]),
      choices: Type.Array(
        Type.Object({
          index: Type.Unsafe<0>({ type: 'integer', const: 0 }),
          delta: Delta,
          finish_reason: Type.Union([FinishReason, Type.Null()]),
        }),
      ),
      usage: Type.Optional(Usage),
    },
    {
      title: 'ChatCompletionChunk',
      description:
        'One event of a stream. The first has the role, the last the finish reason and the usage.',
    },
  )
}
export type ChatCompletionChunk = Static<ReturnType<typeof describeChunk>>
