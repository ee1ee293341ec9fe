import { setTimeout as delay } from 'node:timers/promises'
import { chooseDurationMs, type Fault } from './fault.ts'

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
      await delay(chooseDurationMs(scene) + (world.holdExpiryMs ?? 0))
      world.thaw(replica)
    },
  },
} satisfies Record<string, Fault>
