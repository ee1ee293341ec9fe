import type { UpstreamFailure } from '#models/index.ts'

/** What a person does about it; the same failures are in the log of a service. */
export function explainFailure({ kind, reason }: UpstreamFailure): string {
  if (/status 40[13]$/.test(reason)) return 'Correct api_key, or --key-env.'
  if (reason.endsWith('status 404')) {
    return 'The address ends before /chat/completions, mostly in /v1; the model has its own name there.'
  }
  switch (kind) {
    case 'unreachable':
      return 'Start it, or correct the address.'
    case 'unavailable':
      return 'Look at the log of the service: its engine does not run, or too many wait for it.'
    case 'timeout':
      return 'Look at its queue; raise timeout_ms, or --timeout, if that slow is normal.'
    case 'overloaded':
      return 'Look at its own log, and try again: it is busy, or has failed.'
    case 'malformed':
      return 'It does not speak the chat-completions format: look what answers there.'
    case 'rejected':
    case 'context_overflow':
    case 'cancelled':
      return 'Look at its own log for what it does not take of the request.'
  }
}

export function describeFailure({ kind, reason }: UpstreamFailure): string {
  return `${kind.replace('_', ' ')}, ${reason}`
}
