import { setTimeout as delay } from 'node:timers/promises'
import { chooseDurationMs, type Fault, type Scene } from './fault.ts'

export const processFaults = {
  kill: {
    async inflict({ world, random }) {
      await world.kill(random.between(0, world.replicas - 1))
      await delay(random.between(0, 200))
      await world.start()
    },
  },
  freeze: {
    async inflict(scene) {
      const { world, random } = scene
      const replica = random.between(0, world.replicas - 1)
      world.freeze(replica)
      const durationMs = chooseDurationMs(scene)
      await delay(durationMs + chooseBeyondLeaseMs(scene))
      world.thaw(replica)
    },
  },
} satisfies Record<string, Fault>

/** It takes long, so only some are frozen until the others take them for dead. */
function chooseBeyondLeaseMs({ world: { holdExpiryMs }, random }: Scene): number {
  return holdExpiryMs !== undefined && random.between(1, 4) === 1 ? holdExpiryMs : 0
}
