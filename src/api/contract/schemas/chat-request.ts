import { Type, type Static } from 'typebox'

/** JSON Schema counts lengths in code points; so does our validation. */
const CONTENT_MAX = 200_000

const Content = Type.String({ minLength: 1, maxLength: CONTENT_MAX })
const Id = Type.String({ minLength: 1, maxLength: 200 })
const FunctionName = Type.String({ minLength: 1, maxLength: 64 })

export const ToolCall = Type.Object(
  {
    id: Id,
    type: Type.Optional(Type.Literal('function')),
    function: Type.Object({
      name: FunctionName,
      arguments: Type.Optional(
        Type.String({
          maxLength: 100_000,
          default: '{}',
          description: 'JSON-encoded arguments, as the model wrote them.',
        }),
      ),
    }),
  },
  { title: 'ToolCall', description: 'A request of the model to run a function.' },
)

const SystemMessage = Type.Object(
  { role: Type.Literal('system'), content: Content },
  { title: 'SystemMessage', description: 'Instructions. The service puts its own before them.' },
)

const UserMessage = Type.Object(
  { role: Type.Literal('user'), content: Content },
  { title: 'UserMessage' },
)

const AssistantMessage = Type.Object(
  {
    role: Type.Literal('assistant'),
    content: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: CONTENT_MAX }),
    ),
    tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: 64 })),
  },
  {
    title: 'AssistantMessage',
    description:
      'An earlier reply. Each of its tool calls needs its tool message, directly after it.',
  },
)

const ToolMessage = Type.Object(
  {
    role: Type.Literal('tool'),
    content: Type.String({ maxLength: CONTENT_MAX, description: "The tool's result, as text." }),
    tool_call_id: Id,
  },
  { title: 'ToolMessage', description: 'The result of one tool call of the message before.' },
)

export const Message = Type.Unsafe<
  | Static<typeof SystemMessage>
  | Static<typeof UserMessage>
  | Static<typeof AssistantMessage>
  | Static<typeof ToolMessage>
>({
  title: 'Message',
  type: 'object',
  discriminator: { propertyName: 'role' },
  oneOf: [SystemMessage, UserMessage, AssistantMessage, ToolMessage],
})

export const Tool = Type.Object(
  {
    type: Type.Optional(Type.Literal('function')),
    function: Type.Object({
      name: FunctionName,
      description: Type.Optional(Type.String({ maxLength: 4_000, default: '' })),
      parameters: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'A JSON Schema object that describes the arguments.',
        }),
      ),
    }),
  },
  { title: 'Tool', description: 'A function that the model may ask for.' },
)

export const ChatRequest = Type.Object(
  {
    messages: Type.Array(Message, {
      minItems: 1,
      maxItems: 200,
      description: 'The whole conversation, with at least one user or assistant message.',
    }),
    tools: Type.Optional(
      Type.Array(Tool, { maxItems: 64, description: 'For prime and nova only.' }),
    ),
    stream: Type.Optional(
      Type.Boolean({ default: false, description: 'True selects server-sent events.' }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "Ceiling on generated tokens; the model's maximum when left out. Higher values are lowered to it.",
      }),
    ),
    temperature: Type.Optional(
      Type.Number({ minimum: 0, maximum: 2, description: 'Lower is more deterministic.' }),
    ),
  },
  {
    title: 'ChatRequest',
    description:
      'Fields that are not listed, `model` among them, are ignored. Null on an optional field is the same as leaving it out.',
  },
)
export type ChatRequest = Static<typeof ChatRequest>
