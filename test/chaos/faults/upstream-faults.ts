import { setTimeout as delay } from 'node:timers/promises'
import type { Mood } from '../traffic/upstreams.ts'
import { chooseDurationMs, type Fault } from './fault.ts'

export const upstreamFaults = {
  'upstream-resets': inMood('resets'),
  'upstream-hangs': inMood('hangs'),
  'upstream-lies': inMood('lies'),
  'upstream-overruns': inMood('overruns'),
  'upstream-floods': {
    async inflict({ load, patient: account }) {
      const air = { account, brand: 'air', maxTokens: 200 } as const
      // One after the other: the fake has to make each of them.
      await load.ask({ ...air, topic: 'a flood of letters', streamed: true })
      await load.ask({ ...air, topic: 'a flood of letters', streamed: false, maxTokens: 4 })
      await load.ask({ ...air, topic: 'one endless event', streamed: true })
      const topic = 'a flood of blanks'
      await load.ask({ account, brand: 'prime', maxTokens: 900_000, topic, streamed: true })
    },
  },
} satisfies Record<string, Fault>

function inMood(mood: Mood): Fault {
  return {
    async inflict(scene) {
      scene.upstreams.begin(mood)
      await delay(chooseDurationMs(scene))
      scene.upstreams.end(mood)
    },
  }
}
