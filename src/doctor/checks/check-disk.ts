import { open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

const WRITES = 100
/** A slow disk is known after fewer. */
const MAX_MS = 3_000
/** What a commit writes is about so long. */
const BYTES = 4_096
/** A reply ends when its charge is on the disk: beyond these somebody notices. */
const SLOW_MS = { median: 20, p99: 150 } as const

/** How long the disk takes to say that something is on it, by writing as the store does. */
export async function checkDisk({ config }: Patient): Promise<Finding[]> {
  const isThere = await stat(config.dataDir).catch(() => undefined)
  if (!isThere?.isDirectory()) return []
  const tookMs = await measureSyncs(config.dataDir)
  if (tookMs === undefined) return []
  return [judgeSyncs(tookMs)]
}

/** Milliseconds of each write; undefined where nothing can be written. The file is gone afterwards. */
async function measureSyncs(directory: string): Promise<readonly number[] | undefined> {
  const path = join(directory, `doctor-${process.pid}.tmp`)
  const file = await open(path, 'wx', 0o600).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const tookMs: number[] = []
    const bytes = Buffer.alloc(BYTES)
    const beganMs = performance.now()
    while (tookMs.length < WRITES && performance.now() - beganMs < MAX_MS) {
      const startedMs = performance.now()
      await file.write(bytes)
      await file.datasync()
      tookMs.push(performance.now() - startedMs)
    }
    return tookMs
  } finally {
    await file.close()
    await unlink(path)
  }
}

export function judgeSyncs(tookMs: readonly number[]): Finding {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  const [median, p99] = [at(0.5), at(0.99)]
  const commits = Math.round(1_000 / Math.max(median, 0.001)).toLocaleString('en')
  const found =
    `${sorted.length} writes were on the disk after ${formatMs(median)} each (median), ` +
    `${formatMs(p99)} at worst but one in a hundred: about ${commits} commits/s, each for all ` +
    'replies that end meanwhile.'
  if (median <= SLOW_MS.median && p99 <= SLOW_MS.p99) return ok(found)
  return warning(
    found,
    'Each reply ends that much later. Use a local SSD, or look at who else writes.',
  )
}

function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`
}
