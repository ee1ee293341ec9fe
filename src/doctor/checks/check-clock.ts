import type { UpstreamOptions } from '#models/index.ts'
import { isLoopback } from '#platform/http-url.ts'
import { ask, placeOf } from '../ask.ts'
import type { Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'
import { judgeDifference } from './judge-difference.ts'

/** A Date header has whole seconds, and an answer takes its way. */
const TOLERANCE_MS = 1_500
const MAX_HOSTS = 4

/** Against the Date header of whoever answers us; a database's clock is asked where the store is. */
export async function checkClock(patient: Patient): Promise<Finding[]> {
  const { config } = patient
  const upstreams = Object.values(config.brands).flatMap((brand) => brand.upstreams)
  const urls = [config.baseUrl, ...upstreams.flatMap(readUrl)].filter(
    // On this machine it is the same clock.
    (url) => URL.canParse(url) && !isLoopback(new URL(url).hostname),
  )
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].slice(0, MAX_HOSTS)
  const found = await Promise.all(origins.map((origin) => compare(patient, origin)))
  return found.filter((one) => one !== undefined)
}

function readUrl(options: UpstreamOptions): string[] {
  return 'url' in options ? [options.url] : []
}

/** Any answer will do, a refusal too. Undefined without one. */
async function compare({ clock, timeoutMs, ca }: Patient, origin: string) {
  const askedMs = clock.nowMs()
  const answer = await ask(`${origin}/`, { timeoutMs, ca })
  if (answer.kind === 'failed') return undefined
  const theirsMs = Date.parse(String(answer.headers['date']))
  if (Number.isNaN(theirsMs)) return undefined
  // Half a second is what the header leaves out, on average.
  const aheadMs = theirsMs + 500 - (askedMs + clock.nowMs()) / 2
  return judgeDifference(aheadMs, `${placeOf(origin)} (its Date header)`, TOLERANCE_MS)
}
