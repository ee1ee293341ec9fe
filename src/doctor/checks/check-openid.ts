import { ask, readObject, type Answer } from '../ask.ts'
import { counted, ok, problem, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

interface Discovery {
  readonly issuer?: string
  readonly jwks_uri?: string
}

interface KeySet {
  readonly keys?: readonly object[]
}

/** What an app finds that lets people sign in with this service. */
export async function checkOpenid(patient: Patient): Promise<Finding[]> {
  const { config, timeoutMs, ca } = patient
  const look = (url: string): Promise<Answer> => ask(url, { timeoutMs, ca })
  const service = await patient.service
  if (service.kind !== 'running') return []
  const url = `${config.issuer}/.well-known/openid-configuration`
  const answer = await look(url)
  const document = answer.kind === 'answered' ? readObject<Discovery>(answer.text) : undefined
  if (document?.issuer === undefined) {
    const why = answer.kind === 'failed' ? answer.reason : `HTTP ${answer.status}`
    const found = `Apps find no sign-in at ${url}: ${why}.`
    return [problem(found, 'Let the proxy pass it on, and see that PARLEY_AUTH_URL leads here.')]
  }
  if (document.issuer !== config.issuer) {
    const found = `Apps are told the issuer ${document.issuer}, and ${config.issuer} is configured.`
    return [problem(found, 'Restart the service with this PARLEY_AUTH_URL, or correct it.')]
  }
  const keys = await look(document.jwks_uri ?? url)
  const set = keys.kind === 'answered' ? readObject<KeySet>(keys.text)?.keys : undefined
  if (!set || set.length === 0) {
    const advice = "Look at the service's log; parley signing-key list."
    return [problem(`No signing key is told at ${document.jwks_uri}.`, advice)]
  }
  return [
    ok(`Apps find the sign-in of ${document.issuer}, with ${counted(set.length, 'signing key')}.`),
  ]
}
