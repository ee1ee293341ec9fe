import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createLog } from '#platform/log.ts'
import { createApp, type App } from '../../../src/app.ts'
import { createBreakableStore, type StoreDoor } from './break-store.ts'
import { openClock } from './shared-clock.ts'
import { openStore } from './open-store.ts'
import type { Measurement, NumberedOrder, Order, Report, ServeOptions } from './orders.ts'
import { APP_OPTIONS } from '../../support/app-options.ts'
import { createMemoryMailer } from '../../support/memory-mailer.ts'
import { TIMES } from './settings.ts'

/**
 * The real service in a process of its own. Only two things are not as in production: its clock is
 * moved by the driver, and its store's door can be broken.
 */
const options = JSON.parse(process.argv[2] ?? '') as ServeOptions
let { nowMs } = options
const readShared = options.clockPath === undefined ? undefined : openClock(options.clockPath)
const clock = { nowMs: () => readShared?.() ?? nowMs }
const opened = await openStore(options, clock.nowMs)
const { store, door } = createBreakableStore(opened.store, opened.errors)
const app = await createApp({
  store,
  dataDir: options.dataDir,
  clock,
  log: createLog('error'),
  ...APP_OPTIONS,
  mailer: createMemoryMailer(),
  brands: planBrands(options.upstreamUrls),
  keepAliveMs: TIMES.keepAliveMs,
  patienceMs: TIMES.patienceMs,
  circuit: TIMES.circuit,
})
await app.server.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (message) => void answer(message as NumberedOrder, app, door))
// A driver that has gone must not leave a service behind.
process.on('disconnect', () => process.exit(1))
report({ kind: 'ready', port: (app.server.server.address() as AddressInfo).port })

function planBrands(urls: readonly string[]) {
  const upstreams = urls.map((url, index) => ({
    kind: 'openai' as const,
    name: `fake-${index}`,
    url,
    model: 'fake-model',
    apiKey: undefined,
    ...TIMES.upstream,
  }))
  // Room for a reply that no buffer of the network can swallow whole.
  const roomy = { contextWindow: 2_000_000, maxOutputTokens: 990_000 }
  return { air: { upstreams }, prime: { upstreams, ...roomy }, nova: { upstreams } }
}

async function answer({ id, order }: NumberedOrder, to: App, at: StoreDoor): Promise<void> {
  if (order.kind === 'measure') report({ kind: 'done', id, measurement: await measure(to) })
  else {
    obey(order, at)
    report({ kind: 'done', id })
  }
}

function obey(order: Exclude<Order, { readonly kind: 'measure' }>, at: StoreDoor): void {
  switch (order.kind) {
    case 'move-clock':
      nowMs = order.nowMs
      return
    case 'break-store':
      return at.breakDown(order.breakage)
    case 'mend-store':
      return at.mend()
  }
}

async function measure({ server }: App): Promise<Measurement> {
  // The second finds what the first has only unlinked. Node runs with --expose-gc.
  for (let count = 0; count < 2; count += 1) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const connections = await promisify(server.server.getConnections.bind(server.server))()
  return { keptBytes: heapUsed + external, residentBytes: rss, connections }
}

function report(what: Report): void {
  process.send?.(what)
}
