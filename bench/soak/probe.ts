import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** What a process holds at one moment, and how late its event loop was since the moment before. */
export interface Sample {
  readonly residentMiB: number
  /** After a full collection. */
  readonly heapMiB: number
  /** What JavaScript holds outside of its heap: buffers, above all. */
  readonly externalMiB: number
  /** Sockets, servers, timers, threads. */
  readonly handles: number
  readonly descriptors: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

const MIB = 1024 * 1024
const NANOSECONDS_A_MS = 1_000_000
/** The histogram's own timer: what it measures is never less. */
const RESOLUTION_MS = 5

/**
 * Loaded into the service before its own code, this tells its figures to whoever connects to the
 * address in this module's own query. The service's worker threads load it as well, and stay silent.
 */
const path = new URL(import.meta.url).searchParams.get('path')
if (path !== null && isMainThread) answerAt(path)

function answerAt(address: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const server = createServer((socket) => {
    // The collection stops the event loop, and is not the service's doing.
    delay.disable()
    const lateness = {
      delayP99Ms: Math.max(0, delay.percentile(99) / NANOSECONDS_A_MS - RESOLUTION_MS),
      delayMaxMs: Math.max(0, delay.max / NANOSECONDS_A_MS - RESOLUTION_MS),
    }
    const sample: Sample = { ...measure(), ...lateness }
    socket.on('error', () => {})
    socket.end(JSON.stringify(sample))
    delay.reset()
    delay.enable()
  })
  server.listen(address).unref()
}

function measure() {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    residentMiB: rss / MIB,
    heapMiB: heapUsed / MIB,
    externalMiB: external / MIB,
    handles: process.getActiveResourcesInfo().length,
    descriptors: readdirSync('/proc/self/fd').length,
  }
}
