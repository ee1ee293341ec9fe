import { Agent, request } from 'undici'
import { explain } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

/** Enough that a model takes a while for it, and little enough to cost next to nothing. */
const QUESTION = {
  messages: [{ role: 'user', content: 'Count from 1 to 60 in words, and write nothing else.' }],
  max_tokens: 64,
  stream: true,
}
/** A reply that took less says nothing of what is held back. */
const MIN_MS = 200
/** Held back is what comes within so small a part of the time that it took to be made. */
const HELD_PART = 0.2

interface Arrival {
  readonly status: number
  /** From the first byte to the last. */
  readonly spreadMs: number
  readonly encoding: string | undefined
}

/** Asks once past the proxy and once through it: a stream must arrive as it is made. */
export async function checkStreaming(patient: Patient): Promise<Finding[]> {
  const { config, apiKey } = patient
  const service = await patient.service
  const publicOrigin = new URL(config.baseUrl).origin
  if (service.kind !== 'running') return []
  if (new URL(service.origin).origin === publicOrigin) {
    return [note('No proxy stands before the service: its address is that of callers.')]
  }
  if (apiKey === undefined) {
    return [
      note(
        'Whether the proxy lets streams through as they are made was not tried.',
        'Give an API key, as --key or PARLEY_API_KEY: two short replies are paid with it.',
      ),
    ]
  }
  const direct = await time(patient, `${service.origin}/v1`)
  const proxied = await time(patient, config.baseUrl)
  for (const one of [direct, proxied]) {
    if (typeof one === 'string') return [warning(`The trial reply failed: ${one}.`, 'Try again.')]
    if (one.status !== 200) return [explainStatus(one.status)]
  }
  return judgeArrivals(direct as Arrival, proxied as Arrival)
}

function explainStatus(status: number): Finding {
  const advice = 'Give a key that may spend, as --key or PARLEY_API_KEY, and try again.'
  return warning(`The trial reply was refused with HTTP ${status}.`, advice)
}

export function judgeArrivals(direct: Arrival, proxied: Arrival): Finding[] {
  const { encoding } = proxied
  const compressed =
    encoding === undefined
      ? []
      : [warning(`The proxy compresses streams (${encoding}).`, 'Switch that off for /v1.')]
  const [made, came] = [Math.round(direct.spreadMs), Math.round(proxied.spreadMs)]
  if (direct.spreadMs < MIN_MS) {
    const found = `The reply was made within ${made} ms: too fast to tell whether the proxy holds it back.`
    return [...compressed, note(found)]
  }
  if (proxied.spreadMs >= direct.spreadMs * HELD_PART) {
    return [...compressed, ok(`Streams come through the proxy as they are made (${came} ms).`)]
  }
  return [
    ...compressed,
    problem(
      `The proxy holds streams back: made over ${made} ms, they arrive within ${came} ms.`,
      'Switch buffering off for /v1: in nginx "proxy_buffering off;", and no gzip.',
    ),
  ]
}

async function time(patient: Patient, baseUrl: string): Promise<Arrival | string> {
  const { apiKey, timeoutMs, ca } = patient
  // A model takes its time; a connection that says nothing does not get all of it.
  const signal = AbortSignal.timeout(timeoutMs * 2)
  const dispatcher = new Agent({ connect: { timeout: timeoutMs, ...(ca !== undefined && { ca }) } })
  try {
    const { statusCode, headers, body } = await request(`${baseUrl}/chat/air`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        // As browsers do: a proxy that compresses then shows it.
        'accept-encoding': 'gzip, br',
      },
      body: JSON.stringify(QUESTION),
      signal,
      dispatcher,
    })
    let firstMs: number | undefined
    for await (const _piece of body) firstMs ??= performance.now()
    const encoding = headers['content-encoding']
    return {
      status: statusCode,
      spreadMs: firstMs === undefined ? 0 : performance.now() - firstMs,
      encoding: encoding === undefined ? undefined : String(encoding),
    }
  } catch (error) {
    return explain(error as NodeJS.ErrnoException, timeoutMs * 2).reason
  } finally {
    await dispatcher.destroy()
  }
}
