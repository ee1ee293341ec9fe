import {
  ACCOUNTS,
  CHAT,
  CHOICE,
  field,
  gone,
  mandatory,
  minus,
  orNull,
  plus,
  schema,
  to,
  withEntry,
  type Mutant,
} from './mutate.ts'

/** What may ship within a version. */
export const COMPATIBLE: readonly Mutant[] = [
  {
    name: 'an operation is new',
    at: ['paths'],
    change: withEntry('/v1/usage', {
      get: { operationId: 'getUsage', responses: { 200: { description: 'What was used.' } } },
    }),
  },
  {
    name: 'the console asks for something else',
    at: ['paths', '/console/api/person', 'get'],
    change: gone,
  },
  {
    name: 'a field that may be sent is new',
    at: field('ChatRequest', 'seed'),
    change: to({ type: 'integer' }),
  },
  {
    name: 'a field of an answer is new',
    at: schema('Usage'),
    change: mandatory('cached_tokens'),
  },
  {
    name: 'a model is new in the address',
    at: [...CHAT, 'parameters', '0', 'schema', 'enum'],
    change: plus('vega'),
  },
  {
    name: 'a model is new in replies',
    at: field('ChatCompletion', 'model', 'enum'),
    change: plus('svc-vega-v1'),
  },
  {
    name: 'a model is new in events',
    at: field('ChatCompletionChunk', 'model', 'enum'),
    change: plus('svc-vega-v1'),
  },
  {
    name: 'a model is new in the list',
    at: field('Model', 'id', 'enum'),
    change: plus('svc-vega-v1'),
  },
  {
    name: 'a query parameter is new',
    at: [...ACCOUNTS, 'parameters'],
    change: plus({ name: 'plan', in: 'query', required: false, schema: { type: 'string' } }),
  },
  { name: 'more text is taken', at: field('NewKey', 'name', 'maxLength'), change: to(100_000) },
  { name: 'a bound is gone', at: field('ChatRequest', 'temperature', 'maximum'), change: gone },
  { name: 'a value more is taken', at: field('NewCredit', 'kind', 'enum'), change: plus('gift') },
  { name: 'null is taken too', at: field('NewKey', 'name'), change: orNull },
  {
    name: 'fractions are taken too',
    at: field('ChatRequest', 'max_tokens', 'type'),
    change: to('number'),
  },
  {
    name: 'a field need no longer be sent',
    at: [...schema('NewKey'), 'required'],
    change: minus('name'),
  },
  {
    name: 'a field of an answer is always there',
    at: [...CHOICE, 'message', 'required'],
    change: plus('reasoning_content'),
  },
  {
    name: 'a value comes no longer',
    at: [...schema('FinishReason'), 'enum'],
    change: minus('error'),
  },
  {
    name: 'a refusal has a new status',
    at: [...CHAT, 'responses', '413'],
    change: to({ description: 'Too much.' }),
  },
  {
    name: 'a code of a refusal is new',
    at: [...CHAT, 'responses', '429', 'content', 'application/json', 'examples', 'too_keen'],
    change: to({ value: {} }),
  },
  {
    name: 'a header is new',
    at: [...CHAT, 'responses', '200', 'headers', 'x-served-by'],
    change: to({ schema: { type: 'string' } }),
  },
  { name: 'there is another way in', at: [...CHAT, 'security'], change: plus({ session: [] }) },
  { name: 'nobody is asked for a key', at: [...CHAT, 'security'], change: to([]) },
  {
    name: 'an operation is deprecated',
    at: [...CHAT, 'deprecated'],
    change: to(true),
  },
  { name: 'prose is written anew', at: [...schema('Usage'), 'description'], change: to('Used.') },
  {
    name: 'a schema is written where it was referred to',
    at: field('ChatCompletion', 'choices', 'items', 'properties', 'finish_reason'),
    change: to({ enum: ['stop', 'length', 'tool_calls', 'content_filter', 'error'] }),
  },
]
