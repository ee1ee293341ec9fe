import { sql } from 'kysely'
import type { Models } from '#models/index.ts'
import type { Store } from '#platform/store/index.ts'

export interface ReadinessOptions {
  readonly models: Pick<Models, 'health'>
  readonly store: Pick<Store, 'reads'>
  readonly isDraining: () => boolean
}

/** Why requests should or should not be sent here. */
export interface Readiness {
  readonly ready: boolean
  readonly draining: boolean
  readonly store: 'ok' | 'away'
  /** Whether some upstream of some brand that is on may be called now. */
  readonly upstreams: 'ok' | 'none usable'
}

/** A store that takes longer is away for whoever waits. */
const PATIENCE_MS = 2_000

export async function readReadiness(options: ReadinessOptions): Promise<Readiness> {
  const draining = options.isDraining()
  const store = (await answers(options.store)) ? 'ok' : 'away'
  const isUsable = options.models
    .health()
    .some(({ enabled, upstreams }) => enabled && upstreams.some((one) => one.circuit !== 'open'))
  return {
    ready: !draining && store === 'ok' && isUsable,
    draining,
    store,
    upstreams: isUsable ? 'ok' : 'none usable',
  }
}

async function answers({ reads }: Pick<Store, 'reads'>): Promise<boolean> {
  const { promise: patience, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PATIENCE_MS)
  try {
    const asked = sql`select 1`.execute(reads).then(() => true)
    return await Promise.race([asked, patience])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
