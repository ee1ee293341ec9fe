import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { isLoopback } from '#platform/http-url.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { ask, readObject } from '../ask.ts'
import { findLockHolder } from '../find-lock-holder.ts'
import { describeOrigin } from '../find-service.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

/** Whether the service runs, or could: its two ports, and what it says of itself. */
export async function checkService(patient: Patient): Promise<Finding[]> {
  const { host, port } = patient.config
  const service = await patient.service
  const place = `${host}:${port}`
  switch (service.kind) {
    case 'running':
      return [...judgeVersion(service.version, place), ...(await checkOps(patient, true))]
    case 'absent':
      return [
        ...judgeHost(host),
        await judgeAbsence(patient.config, place),
        ...(await checkOps(patient, false)),
      ]
    case 'stranger':
      return [
        problem(
          `Something listens on ${place} and does not answer as Parley does (${service.reason}).`,
          'Stop it, or set PORT to another.',
        ),
      ]
  }
}

/** One that has the data directory and does not answer is starting, or listens elsewhere. */
async function judgeAbsence({ dataDir }: Config, place: string): Promise<Finding> {
  const holder = await findLockHolder(join(dataDir, 'parley.lock'))
  if (holder === undefined) {
    return note(
      `The service is not running; ${place} is free.`,
      'Ask again while it runs: its books, streams and sign-in are looked at only then.',
    )
  }
  const found = `Process ${holder} has the data directory, and nothing answers at ${place}.`
  const advice = 'It is starting, hangs, or was started with another HOST or PORT than is set here.'
  return warning(found, advice)
}

function judgeVersion(version: string, place: string): Finding[] {
  const found = `Parley ${version} is running at ${place}.`
  if (version === packageJson.version) return [ok(found)]
  return [warning(found, `This command is of ${packageJson.version}: restart the service.`)]
}

function judgeHost(host: string): Finding[] {
  const ours = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const isOurs = ours.some(({ address }) => address === host)
  if (isIP(host) === 0 || isOurs || isLoopback(host) || /^[0.:]+$/.test(host)) return []
  return [problem(`This machine has no address ${host}.`, 'Set HOST to one that it has.')]
}

/** Metrics and health: figures of the business, which are for those who watch. */
async function checkOps({ config, timeoutMs }: Patient, isRunning: boolean): Promise<Finding[]> {
  const { ops } = config
  if (ops === undefined) return [note('PARLEY_OPS_PORT is 0: nothing can watch the service.')]
  const place = `${ops.host}:${ops.port}`
  const findings = isLoopback(ops.host) ? [] : [judgeOpenOps(place)]
  const answer = await ask(`${describeOrigin(ops.host, ops.port)}/readyz`, { timeoutMs })
  const readiness = answer.kind === 'answered' ? readObject<Readiness>(answer.text) : undefined
  if (!isRunning) {
    if (answer.kind === 'failed') return findings
    const found = `Something listens on ${place}, where metrics and health should be.`
    const advice = 'Set PARLEY_OPS_PORT to another port.'
    return [...findings, ops.isChosen ? problem(found, advice) : warning(found, advice)]
  }
  if (readiness?.ready === true) return [...findings, ok(`It is ready, says ${place}/readyz.`)]
  if (readiness?.ready === false) return [...findings, judgeUnready(readiness)]
  const why = answer.kind === 'failed' ? answer.reason : `HTTP ${answer.status}`
  const found = `Its health is not told at ${place}: ${why}.`
  return [...findings, warning(found, 'Set PARLEY_OPS_PORT to a free port, and restart it.')]
}

interface Readiness {
  readonly ready?: boolean
  readonly draining?: boolean
  readonly store?: string
  readonly upstreams?: string
}

function judgeUnready({ draining, store, upstreams }: Readiness): Finding {
  const why = draining ? 'it is stopping' : `store ${store}, upstreams ${upstreams}`
  return problem(
    `It says that it is not ready: ${why}.`,
    'Look at its log, and at the groups below.',
  )
}

function judgeOpenOps(place: string): Finding {
  return warning(
    `Metrics and health are open to the network, at ${place}.`,
    'Let only those in who watch, by a firewall, or set PARLEY_OPS_HOST to 127.0.0.1.',
  )
}
