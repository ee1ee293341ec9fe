import type { End, Usage } from './attempt.ts'

/** A stream is whole only with its usage and its last word: what ends without them was cut off. */
export function readEnd(status: number, streamed: boolean, text: string): End {
  if (status !== 200) return { kind: 'refused', code: readCode(text) }
  return streamed ? readStream(text) : readWhole(text)
}

interface WireReply {
  readonly usage?: Usage
  readonly choices?: readonly { readonly finish_reason?: string | null }[]
}

function readWhole(text: string): End {
  const reply = parse(text) as WireReply | undefined
  const finishReason = reply?.choices?.[0]?.finish_reason
  if (!reply?.usage || typeof finishReason !== 'string') return { kind: 'broken' }
  return { kind: 'whole', usage: reply.usage, finishReason }
}

function readStream(text: string): End {
  const events = text.split('\n\n').filter((event) => event.startsWith('data: '))
  if (!text.endsWith('data: [DONE]\n\n')) return { kind: 'broken' }
  return readWhole((events.at(-2) ?? '').slice('data: '.length))
}

function readCode(text: string): string {
  const body = parse(text) as { readonly error?: { readonly code?: unknown } } | undefined
  return String(body?.error?.code)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
