import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { isLoopback } from '#platform/http-url.ts'
import { ask, describeTimeout, explain, type Answer } from '../ask.ts'
import { readVersion } from '../find-service.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

const DAY_MS = 86_400_000
/** Let's Encrypt's are renewed a month before their end: with less left that does not work. */
const FEW_DAYS = 14

/** The addresses that callers and people use, asked from here as from anywhere. */
export async function checkAddresses(patient: Patient): Promise<Finding[]> {
  const { baseUrl, issuer } = patient.config
  const origins = [...new Set([new URL(baseUrl).origin, issuer])]
  const found = await Promise.all(origins.map((origin) => checkOrigin(patient, origin)))
  return found.flat()
}

async function checkOrigin(patient: Patient, origin: string): Promise<Finding[]> {
  const url = new URL(origin)
  const isLocal = isLoopback(url.hostname)
  const { production } = patient.config
  const scheme = url.protocol === 'http:' && !isLocal ? [judgeClear(origin, url.hostname)] : []
  const certificate = url.protocol === 'https:' ? await checkCertificate(patient, url) : []
  if (certificate.some(({ level }) => level === 'problem')) return [...scheme, ...certificate]
  if (isLocal && production) scheme.push(judgeLocal(origin))
  const service = await patient.service
  // What nobody else can reach is known already where nothing runs.
  if (isLocal && service.kind !== 'running') return [...scheme, ...certificate]
  return [...scheme, ...certificate, await checkReach(patient, origin)]
}

function judgeLocal(origin: string): Finding {
  const advice = 'Set PARLEY_BASE_URL, and PARLEY_AUTH_URL, to what callers use.'
  return warning(`${origin} can be used on this machine alone, in production.`, advice)
}

function judgeClear(origin: string, hostname: string): Finding {
  const found = `${origin} is not encrypted: keys, passwords and conversations can be read on the way.`
  const advice = 'Put a proxy with a certificate before it, and set an https address.'
  return isPrivate(hostname) ? warning(found, advice) : problem(found, advice)
}

/** RFC 1918, RFC 4193, and names that no public name server has. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) === 4) return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/.test(host)
  if (isIP(host) === 6) return /^f[cde]/i.test(host)
  return !host.includes('.') || /\.(test|internal|local|lan|home\.arpa)$/.test(host)
}

async function checkCertificate(patient: Patient, url: URL): Promise<Finding[]> {
  const { clock, timeoutMs, ca } = patient
  const shaken = await shakeHands(url, timeoutMs, ca)
  if (typeof shaken === 'string') {
    const advice = 'Look at the proxy before the service, and at its certificate.'
    return [problem(`${url.host}: ${shaken}.`, advice)]
  }
  const endsMs = Date.parse(shaken.valid_to)
  const days = Math.floor((endsMs - clock.nowMs()) / DAY_MS)
  const end = new Date(endsMs).toISOString().slice(0, 10)
  const found = `The certificate of ${url.host} is good until ${end}: ${days} days.`
  if (days >= FEW_DAYS) return [ok(found)]
  const advice = 'Renew it now, and look why that was not done by itself.'
  return [days < 0 ? problem(found, advice) : warning(found, advice)]
}

/** The server's certificate, or why there is none that can be trusted. */
async function shakeHands(
  { hostname, port }: URL,
  timeoutMs: number,
  ca: string | undefined,
): Promise<DetailedPeerCertificate | string> {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  const { promise, resolve } = Promise.withResolvers<DetailedPeerCertificate | string>()
  const socket = connect({
    host,
    port: Number(port || '443'),
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  })
  const timer = setTimeout(() => resolve(describeTimeout(timeoutMs)), timeoutMs)
  socket.on('secureConnect', () => resolve(socket.getPeerCertificate(true)))
  socket.on('error', (error: Error) => resolve(explain(error, timeoutMs).reason))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

/** Whether it leads to Parley. Not every network lets a machine see its own public address. */
async function checkReach(patient: Patient, origin: string): Promise<Finding> {
  const { timeoutMs, ca } = patient
  const answer = await ask(`${origin}/v1/openapi.json`, { timeoutMs, ca })
  if (isParley(answer)) return ok(`${origin} leads to Parley.`)
  const why = answer.kind === 'failed' ? answer.reason : `HTTP ${answer.status}`
  const service = await patient.service
  if (service.kind !== 'running') {
    return note(`${origin} does not lead to Parley now: ${why}.`)
  }
  return warning(
    `${origin} does not lead to Parley, as seen from this machine: ${why}.`,
    `Look at DNS, firewall and proxy; from outside, try: curl -i ${origin}/v1/models`,
  )
}

function isParley(answer: Answer): boolean {
  return answer.kind === 'answered' && readVersion(answer.text) !== undefined
}
