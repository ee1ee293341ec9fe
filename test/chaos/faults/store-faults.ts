import { setTimeout as delay } from 'node:timers/promises'
import type { Breakage } from '../service/orders.ts'
import { chooseDurationMs, type Fault } from './fault.ts'

export const storeFaults = {
  'store-fails': breakDoor('fails'),
  'store-slow': breakDoor('slow'),
  'store-hangs': breakDoor('hangs'),
  'store-full': breakDoor('full'),
  'store-read-only': breakDoor('read-only'),
  'store-forgets': breakDoor('forgets'),
  'disk-full': {
    whyNot: ({ disk }) => disk.whyNot,
    async inflict(scene) {
      const { disk } = scene.world
      // From nothing at all to a few blocks: enough for the file, or not even for that.
      disk.fill(scene.random.pick([0, 0, 4_096, 16_384, 65_536]))
      await delay(chooseDurationMs(scene))
      disk.mend()
    },
  },
  'disk-read-only': {
    whyNot: ({ disk }) => disk.whyNot,
    async inflict(scene) {
      const { disk } = scene.world
      disk.makeReadOnly(scene.random.pick(['store', 'everything'] as const))
      await delay(chooseDurationMs(scene))
      disk.mend()
    },
  },
} satisfies Record<string, Fault>

function breakDoor(kind: Breakage['kind']): Fault {
  return {
    async inflict(scene) {
      const { world, random } = scene
      const percent = random.pick([100, 100, 50])
      await world.breakStore({ kind, percent, seed: random.between(0, 2 ** 30) })
      await delay(chooseDurationMs(scene))
      await world.mendStore()
    },
  }
}
