import { setTimeout as delay } from 'node:timers/promises'
import type { Fault, Scene } from './fault.ts'

/** After a crash, 4.5 s until every replica has told again what it holds, and time for one try. */
const REOPENS_MS = 5_500
/** What else goes wrong meanwhile lasts no longer. */
const OTHER_FAULTS_MS = 2_500
const PROBE_PAUSE_MS = 100
const PROBE_PATIENCE_MS = 1_000

export const databaseFaults = {
  'database-restart': {
    whyNot: ({ hasDatabase }) => (hasDatabase ? undefined : 'the store is embedded'),
    async inflict(scene) {
      const { world, random } = scene
      const how = random.pick(['killed', 'in_order'] as const)
      await world.stopDatabase(how)
      await delay(random.between(200, 2_000))
      await world.startDatabase()
      await untilAdmitted(scene)
    },
  },
} satisfies Record<string, Fault>

/** A 503 is right while the database is away, and for the few seconds after; no longer. */
async function untilAdmitted({ world, load, patient: account }: Scene): Promise<void> {
  let startedMs = performance.now()
  for (;;) {
    const attempt = await load.ask({
      account,
      brand: 'air',
      streamed: false,
      maxTokens: 4,
      topic: 'Hello',
      patienceMs: PROBE_PATIENCE_MS,
    })
    const status = attempt?.head?.status
    if (status !== undefined && status !== 503) return
    // What is done to all replicas, and undone, waits for the one that does not answer.
    if (world.hasFrozen()) startedMs = performance.now()
    const waitedMs = performance.now() - startedMs
    if (waitedMs > REOPENS_MS + OTHER_FAULTS_MS) {
      throw new Error(`nobody is admitted ${waitedMs.toFixed(0)} ms after the database is back`)
    }
    await delay(PROBE_PAUSE_MS)
  }
}
