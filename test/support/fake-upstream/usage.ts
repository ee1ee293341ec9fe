import type { Figure, PlannedUsage, Reply } from './reply.ts'

const defaultPromptTokens = 10

/** The `usage` of a reply that has come to its end, or undefined where none is to be sent. */
export function describeUsage(reply: Reply, deltaCount: number): object | undefined {
  const usage = planUsage(reply, deltaCount)
  return usage && writeUsage(usage)
}

/** The `usage` of a chunk in mid-stream: what was generated until then. */
export function describeUsageSoFar(reply: Reply, deltaCount: number): object | undefined {
  const usage = planUsage(reply, deltaCount)
  if (usage === undefined) return undefined
  const { promptTokens, completionTokens } = usage
  const isHonest = typeof completionTokens === 'number' && completionTokens > 0
  return writeUsage({
    promptTokens,
    completionTokens: isHonest ? Math.min(deltaCount, completionTokens) : completionTokens,
  })
}

function planUsage(reply: Reply, deltaCount: number): PlannedUsage | undefined {
  if (reply.usage === 'none') return undefined
  if (reply.usage === 'zero') return { promptTokens: 0, completionTokens: 0 }
  return reply.usage ?? { promptTokens: defaultPromptTokens, completionTokens: deltaCount }
}

function writeUsage(usage: PlannedUsage): object {
  const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = usage
  const totalTokens = usage.totalTokens ?? addFigures(promptTokens, completionTokens)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(totalTokens !== undefined && { total_tokens: totalTokens }),
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}

function addFigures(left: Figure, right: Figure): number | undefined {
  return typeof left === 'number' && typeof right === 'number' ? left + right : undefined
}
