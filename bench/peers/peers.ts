import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, type Child } from '../chat/child.ts'
import type { Pace, Report } from '../report.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import type { Contestant, Running } from './contestant.ts'
import { direct } from './contestants/direct.ts'
import { litellm } from './contestants/litellm.ts'
import { nullProxy } from './contestants/null-proxy.ts'
import { parley, parleyOnPostgres } from './contestants/parley.ts'
import { portkey } from './contestants/portkey.ts'
import type { Loaded } from './load-process.ts'
import { NO_REPLIES, SETTINGS, type Setting } from './settings.ts'
import type { UpstreamUrls } from './upstream-process.ts'
import type { ModelName } from './workloads.ts'
import { writePeersReport } from './write-peers-report.ts'

const CONTESTANTS: readonly Contestant[] = [
  direct,
  nullProxy,
  parley,
  parleyOnPostgres,
  portkey,
  litellm,
]

/** Until compilers have seen the hot path. */
const WARM_UP_MS = 3_000

/** One of those who are measured. */
export interface Entrant {
  readonly name: string
  readonly running: Running
  /** By the setting's name, a round each. */
  readonly rounds: Map<string, Round[]>
  /** By the setting's name: why there are no figures. */
  readonly failures: Map<string, string>
  readonly replies: Record<ModelName, number>
}

export interface Round extends Loaded {
  readonly cpuMs: number
  readonly residentMiB: number
}

interface Rig {
  readonly entrants: readonly Entrant[]
  readonly load: Child
}

/** Everybody in one run: of each setting all are measured in turns, and who begins changes. */
export async function runPeersBench({ rounds, roundMs }: Pace): Promise<Report> {
  const directory = createTemporaryDirectory()
  const upstream = startChild(new URL('./upstream-process.ts', import.meta.url))
  const load = startChild(new URL('./load-process.ts', import.meta.url))
  const entrants: Entrant[] = []
  const absent = new Map<string, string>()
  try {
    const upstreams = await upstream.ask<UpstreamUrls>({})
    for (const { name, start } of CONTESTANTS) {
      tell(`starts ${name}`)
      const own = join(directory, String(entrants.length))
      mkdirSync(own)
      try {
        entrants.push(enter(name, await start({ directory: own, upstreams })))
      } catch (error) {
        absent.set(name, (error as Error).message)
      }
    }
    const rig = { entrants, load }
    for (const setting of SETTINGS) {
      tell(setting.name)
      await takeTurns(rig, setting, 0, Math.max(roundMs / 2, isFirst(setting) ? WARM_UP_MS : 0))
      for (const { rounds: found } of entrants) found.delete(setting.name)
      for (let round = 0; round < rounds; round += 1) {
        await takeTurns(rig, setting, round, roundMs)
      }
    }
    const problems: string[] = []
    for (const { name, running, replies } of entrants) {
      const found = await running.findProblems(replies)
      problems.push(...found.map((problem) => `${name}: ${problem}`))
    }
    return writePeersReport({ entrants, absent, problems })
  } finally {
    await Promise.all([load.stop(), ...entrants.map(({ running }) => running.stop())])
    await upstream.stop()
    removeDirectory(directory)
  }
}

function enter(name: string, running: Running): Entrant {
  return { name, running, rounds: new Map(), failures: new Map(), replies: { ...NO_REPLIES } }
}

function isFirst(setting: Setting): boolean {
  return SETTINGS.find(({ workload }) => workload === setting.workload) === setting
}

async function takeTurns(
  { entrants, load }: Rig,
  setting: Setting,
  round: number,
  durationMs: number,
): Promise<void> {
  const first = round % entrants.length
  for (const entrant of [...entrants.slice(first), ...entrants.slice(0, first)]) {
    if (entrant.failures.has(setting.name)) continue
    try {
      await measure(entrant, load, setting, durationMs)
    } catch (error) {
      entrant.failures.set(setting.name, (error as Error).message)
    }
  }
}

async function measure(
  { running, rounds, replies }: Entrant,
  load: Child,
  setting: Setting,
  durationMs: number,
): Promise<void> {
  const target = setting.targetOf(running)
  if (!target) return
  const { workload, concurrency, statuses } = setting
  const wanted = { target, workload: workload.name, concurrency, durationMs, statuses }
  const beforeMs = running.cpuMs()
  const loaded = await load.ask<Loaded>(wanted)
  const cpuMs = running.cpuMs() - beforeMs
  replies[workload.model] += loaded.served
  const found = rounds.get(setting.name) ?? []
  rounds.set(setting.name, [...found, { ...loaded, cpuMs, residentMiB: running.residentMiB() }])
}

/** It takes minutes: whoever waits sees where it is. */
function tell(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${what}`)
}
