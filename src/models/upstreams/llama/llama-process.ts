/**
 * The process that runs a model file, for the service that started it: a fault of the engine, or a
 * model that takes all memory, ends this process and not that one.
 */
import type { EngineNews, EngineOrder } from './engine-messages.ts'
import { generateReply } from './generate-reply.ts'
import { planModel, type LoadedModel, type PlannedModel } from './load-model.ts'

const cancels = new Map<number, AbortController>()
let planned: PlannedModel | undefined
let loaded: LoadedModel | undefined

// A terminal or a supervisor may signal the service and us alike: its replies under way may still end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Whatever has become of the service, nobody else would end us.
process.on('disconnect', () => process.exit(0))
process.on('message', (order) => void obey(order as EngineOrder))

async function obey(order: EngineOrder): Promise<void> {
  switch (order.kind) {
    case 'plan':
      return tryTo('read', async () => {
        planned = await planModel(order.wish)
        tell({ kind: 'planned', plan: planned.plan })
      })
    case 'load':
      return tryTo('load', async () => {
        loaded = await planned?.load()
        tell({ kind: 'loaded' })
      })
    case 'generate':
      return generate(order)
    case 'cancel':
      cancels.get(order.id)?.abort()
  }
}

/** No request has come yet: what the engine says of the file quotes nobody. */
async function tryTo(verb: 'read' | 'load', act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    const reason = `the model file cannot be ${verb === 'read' ? 'read' : 'loaded'}: ${line.slice(0, 300)}`
    process.send?.({ kind: 'broken', reason } satisfies EngineNews, () => process.disconnect())
  }
}

async function generate({
  id,
  request,
}: EngineOrder & { readonly kind: 'generate' }): Promise<void> {
  const cancel = new AbortController()
  cancels.set(id, cancel)
  const end = await (loaded
    ? generateReply(loaded, request, cancel.signal, {
        piece: (piece) => tell({ kind: 'piece', id, ...piece }),
        call: (name, text) => tell({ kind: 'call', id, name, arguments: text }),
      })
    : Promise.resolve({ kind: 'failed', reason: 'no model is loaded' } as const))
  cancels.delete(id)
  tell({ kind: 'end', id, end })
}

function tell(news: EngineNews): void {
  if (process.connected) process.send?.(news)
}
