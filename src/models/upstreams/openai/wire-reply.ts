/**
 * What servers of this format send, as far as we read it. Nothing here can be trusted to be of its
 * type: servers differ, and some are broken. Readers check each value that they use.
 */
export interface WireReply {
  readonly choices?: unknown
  readonly usage?: unknown
  readonly error?: unknown
}

export interface WireChoice {
  readonly delta?: WireMessage | null
  readonly message?: WireMessage | null
  readonly finish_reason?: unknown
}

export interface WireMessage {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: unknown
}

export interface WireToolCall {
  readonly id?: unknown
  readonly index?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

/** The value if it is a string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function objectOf<Shape extends object>(value: unknown): Shape | undefined {
  return typeof value === 'object' && value !== null ? (value as Shape) : undefined
}

/** The first choice: we never ask for more than one. */
export function firstChoice(reply: WireReply): WireChoice | undefined {
  return Array.isArray(reply.choices) ? objectOf<WireChoice>(reply.choices[0]) : undefined
}

/** A reply's text as an object; undefined for anything else. */
export function parseWireReply(text: string): WireReply | undefined {
  try {
    return objectOf<WireReply>(JSON.parse(text))
  } catch {
    return undefined
  }
}
