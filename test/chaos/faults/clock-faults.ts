import { setTimeout as delay } from 'node:timers/promises'
import { untilMidnightMs } from '#platform/clock.ts'
import type { Fault } from './fault.ts'

export const clockFaults = {
  'clock-over-midnight': {
    async inflict({ world, random }) {
      const leftS = untilMidnightMs(world.clock.nowMs()) / 1000
      await world.moveClock(leftS - 1)
      await delay(random.between(50, 250))
      await world.moveClock(random.pick([1, 2]))
    },
  },
  'clock-over-window-end': {
    async inflict({ world, random }) {
      for (const bySeconds of [59, 1, 60, 61]) {
        await world.moveClock(bySeconds)
        await delay(random.between(20, 150))
      }
    },
  },
  'clock-back': {
    async inflict({ world, random }) {
      const hour = 3_600
      await world.moveClock(-random.pick([1, 30, 59, 60, 61, hour, 14 * hour, 30 * hour]))
    },
  },
} satisfies Record<string, Fault>
