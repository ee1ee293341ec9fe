/** Examples of the document, each true to its schema: a test validates them. */

const CREATED = 1_795_219_200

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city now.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
}

const weatherCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' },
}

const question = { role: 'user', content: 'What is the weather in Lisbon?' }

export const requestExamples = {
  question: { messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 64 },
  stream: { messages: [{ role: 'user', content: 'Say hello.' }], stream: true },
  tools: { messages: [question], tools: [weatherTool] },
  tool_result: {
    messages: [
      question,
      { role: 'assistant', content: null, tool_calls: [weatherCall] },
      { role: 'tool', tool_call_id: 'call_1', content: '19 degrees, sunny' },
    ],
    tools: [weatherTool],
  },
}

export function exampleCompletion(serviceName: string) {
  return {
    id: 'chatcmpl-019e3a52c1f07a30b1c5d2e8f4a96b70',
    object: 'chat.completion',
    created: CREATED,
    model: `${serviceName}-prime-v1`,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 24, completion_tokens: 2, total_tokens: 26 },
  }
}

/** A whole stream as it goes over the wire: reasoning, text, the end with its usage. */
export function exampleTranscript(serviceName: string): string {
  const common = {
    id: 'chatcmpl-019e3a52c1f07a30b1c5d2e8f4a96b70',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: `${serviceName}-nova-v1`,
  }
  const chunk = (delta: object, finishReason: string | null = null, usage?: object) => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...(usage && { usage }),
  })
  const chunks = [
    chunk({ role: 'assistant' }),
    chunk({ reasoning_content: 'A greeting is wanted.' }),
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo!' }),
    chunk({}, 'stop', { prompt_tokens: 24, completion_tokens: 7, total_tokens: 31 }),
  ]
  const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`)
  return `${events.join('')}data: [DONE]\n\n`
}

export function exampleModelList(serviceName: string) {
  const model = (brand: string, window: number, output: number, prices: [number, number]) => ({
    id: `${serviceName}-${brand}-v1`,
    object: 'model',
    owned_by: serviceName,
    endpoint: `/v1/chat/${brand}`,
    context_window: window,
    max_output_tokens: output,
    reasoning: brand === 'nova',
    pricing_eur_per_1m: { inPerM: prices[0], outPerM: prices[1] },
  })
  return {
    object: 'list',
    data: [
      model('air', 131_072, 4_096, [0.26, 3.1]),
      model('prime', 262_144, 8_192, [1.8, 6.2]),
      model('nova', 262_144, 8_192, [3.2, 9.5]),
    ],
  }
}
