export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/** One of the contract's five, whatever the upstream said; what was really sent has the last word. */
export function mapFinishReason(reason: string, sentToolCalls: boolean): FinishReason {
  const known = FINISH_REASONS.find((candidate) => candidate === reason) ?? 'stop'
  if (sentToolCalls) return known === 'stop' ? 'tool_calls' : known
  return known === 'tool_calls' ? 'stop' : known
}
