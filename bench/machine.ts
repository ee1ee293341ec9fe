import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { cpus, loadavg, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { median } from './statistics.ts'
import { withTemporaryDirectory } from './temporary-directory.ts'

/** The core that the service has to itself, and the one for all that surrounds it. */
export const SERVICE_CORE = 0
export const LOAD_CORE = 1

const SYNC_SAMPLES = 200
const PAGE_BYTES = 4_096

/** What starts a process on one core; nothing where cores cannot be chosen. */
export function pinTo(core: number): readonly string[] {
  return canPin() ? ['taskset', '-c', String(core)] : []
}

function canPin(): boolean {
  if (cpus().length <= Math.max(SERVICE_CORE, LOAD_CORE)) return false
  return spawnSync('taskset', ['-c', String(SERVICE_CORE), 'true']).status === 0
}

/** What a reader must know of the machine to read the figures. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU'
  const memoryGib = (totalmem() / 1024 ** 3).toFixed(0)
  const pinned = canPin()
    ? `the service on core ${SERVICE_CORE}, everything else on core ${LOAD_CORE}`
    : 'no process pinned to a core'
  return (
    `${model}, ${cpus().length} cores, ${memoryGib} GiB, ${type()}; Node ${process.version}; ` +
    `${pinned}; one fsync takes ${measureSyncMs().toFixed(2)} ms; ` +
    `the load before the start was ${loadavg()[0]?.toFixed(1)}.`
  )
}

/** The floor of every durable commit: what the disk takes for one page, the median. */
export function measureSyncMs(): number {
  return withTemporaryDirectory((directory) => {
    const file = openSync(join(directory, 'probe'), 'w')
    const page = Buffer.alloc(PAGE_BYTES)
    const samplesMs = Array.from({ length: SYNC_SAMPLES }, () => {
      writeSync(file, page)
      const startedMs = performance.now()
      fsyncSync(file)
      return performance.now() - startedMs
    })
    closeSync(file)
    return median(samplesMs)
  })
}
