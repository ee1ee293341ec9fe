import type { DialectRules } from './dialects.ts'
import type { PlannedToolCall, Reply } from './reply.ts'

/** The `tool_calls` entries of a stream, one for each chunk, in the order they are sent. */
export function planToolCallDeltas(reply: Reply, rules: DialectRules): readonly object[] {
  const calls = reply.toolCalls ?? []
  switch (reply.toolCallShape ?? rules.toolCallShape) {
    case 'whole':
      return calls.map((call, index) => openCall(call, index, call.arguments, rules))
    case 'fragments':
      return calls.flatMap((call, index) => [
        openCall(call, index, '', rules),
        ...splitArguments(call).map((fragment) => continueCall(index, fragment, rules)),
      ])
    case 'interleaved':
      return [
        ...calls.map((call, index) => openCall(call, index, '', rules)),
        ...takeTurns(calls.map((call) => splitArguments(call))).map(({ index, fragment }) =>
          continueCall(index, fragment, rules),
        ),
      ]
  }
}

/** The `tool_calls` entries of a whole reply. */
export function planToolCalls(reply: Reply, rules: DialectRules): readonly object[] {
  return (reply.toolCalls ?? []).map((call, index) => ({
    ...describeId(call, index, rules),
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
}

function openCall(
  call: PlannedToolCall,
  index: number,
  argumentsText: string,
  rules: DialectRules,
): object {
  return {
    index: rules.toolCallIndex(index),
    ...describeId(call, index, rules),
    type: 'function',
    function: { name: call.name, arguments: argumentsText },
  }
}

function continueCall(index: number, fragment: string, rules: DialectRules): object {
  return {
    index: rules.toolCallIndex(index),
    ...rules.fragmentBase.call,
    function: { ...rules.fragmentBase.function, arguments: fragment },
  }
}

function describeId(call: PlannedToolCall, index: number, rules: DialectRules): object {
  const id = call.id === undefined ? rules.toolCallId(index) : (call.id ?? undefined)
  return id === undefined ? {} : { id }
}

function splitArguments(call: PlannedToolCall): readonly string[] {
  return call.fragments ?? call.arguments.match(/[^]{1,8}/g) ?? []
}

function takeTurns(
  pieces: readonly (readonly string[])[],
): readonly { readonly index: number; readonly fragment: string }[] {
  const longest = Math.max(0, ...pieces.map((fragments) => fragments.length))
  return Array.from({ length: longest }, (_, turn) =>
    pieces.flatMap((fragments, index) => {
      const fragment = fragments[turn]
      return fragment === undefined ? [] : [{ index, fragment }]
    }),
  ).flat()
}
