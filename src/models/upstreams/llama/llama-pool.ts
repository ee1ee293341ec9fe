import type { Log } from '#platform/log.ts'
import type { LlamaEngine } from './llama-engine.ts'
import type { LlamaOptions } from './llama-options.ts'

/** The engines that run, one for each model file and its settings, however many upstreams share it. */
export interface LlamaPool {
  /** Starts an engine where none runs yet. Give it back once for each time that it was taken. */
  take(options: LlamaOptions): Promise<LlamaEngine>
  /** The last one to give an engine back closes it. */
  giveBack(engine: LlamaEngine): Promise<void>
}

export function createLlamaPool(log: Pick<Log, 'info' | 'error'>): LlamaPool {
  const engines = new Map<string, { readonly engine: LlamaEngine; users: number }>()
  return {
    async take(options) {
      // Loaded only where it is wanted.
      const { LlamaEngine } = await import('./llama-engine.ts')
      const { path, dataDir, contextTokens, sequences, threads } = options
      const key = JSON.stringify([path, dataDir, contextTokens, sequences, threads])
      const entry = engines.get(key) ?? { engine: new LlamaEngine(options, log), users: 0 }
      engines.set(key, entry)
      entry.users += 1
      return entry.engine
    },
    async giveBack(engine) {
      const found = [...engines].find(([, entry]) => entry.engine === engine)
      if (!found) return
      const [key, entry] = found
      entry.users -= 1
      if (entry.users > 0) return
      engines.delete(key)
      await engine.close()
    },
  }
}
