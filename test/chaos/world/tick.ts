import { setTimeout as delay } from 'node:timers/promises'
import type { World } from './world.ts'

/** Lets the service's time pass, some seconds in each of ours, so that what waits for it comes. */
export function startTicking(world: World): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const running = tick(world, stopped.signal)
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

const TICK_MS = 200

async function tick(world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(TICK_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await world.moveClock(1)
  }
}
