import { basename } from 'node:path'
import { formatBytes } from '#platform/format-bytes.ts'
import type { Model } from '../../catalogue.ts'
import type { Upstream } from '../upstream.ts'
import type { LlamaOptions } from './llama-options.ts'
import type { LlamaPool } from './llama-pool.ts'

/** A model file that is run here. Rejects where that cannot be: no engine, or more memory than there is. */
export async function createLlamaUpstream(
  options: LlamaOptions,
  { reasoning }: Pick<Model, 'reasoning'>,
  pool: LlamaPool,
): Promise<Upstream> {
  const engine = await pool.take(options)
  try {
    await engine.planned()
  } catch (error) {
    await pool.giveBack(engine)
    throw error
  }
  return {
    name: options.name,
    kind: 'llama',
    describe() {
      const { plan } = engine
      if (!plan) return `${basename(options.path)}, which cannot be read`
      const { fileBytes, contextTokens, sequences, memoryBytes } = plan
      return (
        `${basename(options.path)}, ${formatBytes(fileBytes)}: ${sequences} at once, ` +
        `${contextTokens} tokens each, at most ${formatBytes(memoryBytes)} of memory`
      )
    },
    open: (request, signal) => engine.open(request, reasoning, signal),
    close: () => pool.giveBack(engine),
  }
}
