import { planContent, type Content } from './content.ts'
import { dialects, type DialectRules } from './dialects.ts'
import type { Reply } from './reply.ts'
import type { Ask } from './request.ts'

/** A reply to one request: all that its bytes depend on. */
export interface Turn {
  readonly reply: Reply
  readonly ask: Ask
  readonly rules: DialectRules
  readonly content: Content
}

export function planTurn(reply: Reply, ask: Ask, content: Content = planContent(reply)): Turn {
  return { reply, ask, rules: dialects[reply.dialect ?? 'openai'], content }
}

export const replyIdentity = { id: 'chatcmpl-fake', created: 1_760_000_000, model: 'fake-model' }

export function nameFinish(reply: Reply): string {
  return reply.finish ?? ((reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop')
}
