import type { Verification } from '#api/contract/index.ts'
import { readSecret } from '#platform/secrets.ts'
import { ask, readObject } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

/** A running service adds up its books; nobody else may be sure that nothing is being written. */
export async function checkBooks(patient: Patient): Promise<Finding[]> {
  const service = await patient.service
  if (service.kind !== 'running') return []
  const token = readToken(patient)
  if (token === undefined) {
    return [note('Not added up: the operator token is not to be had here.', 'parley ledger verify')]
  }
  const { timeoutMs } = patient
  const url = `${service.origin}/operator/v1/ledger/verify`
  const answer = await ask(url, { timeoutMs, headers: { authorization: `Bearer ${token}` } })
  if (answer.kind === 'failed') {
    return [note(`Not added up: ${answer.reason}.`, 'parley ledger verify, which waits longer.')]
  }
  const verification = readObject<Verification>(answer.text)
  if (answer.status === 401) {
    const advice = 'Set PARLEY_OPERATOR_TOKEN to what the service was started with.'
    return [warning('The running service refuses the operator token that is set here.', advice)]
  }
  if (answer.status !== 200 || verification === undefined) {
    return [warning(`The service did not add up its books (HTTP ${answer.status}).`, SEE_LOG)]
  }
  return [judgeBooks(verification)]
}

const SEE_LOG = "Look at the service's log."

function judgeBooks({ ok: isOk, transfers, accounts, discrepancies }: Verification): Finding {
  if (isOk) return ok(`The books add up (transfers: ${transfers}, accounts: ${accounts}).`)
  return problem(
    `The books do not add up: ${discrepancies.length} discrepancies.`,
    'parley ledger verify names them. Keep a copy of the store; docs/operate/runbooks.md.',
  )
}

function readToken({ config }: Patient): string | undefined {
  try {
    return config.operatorToken ?? readSecret(config.dataDir, 'operator-token')
  } catch {
    return undefined
  }
}
