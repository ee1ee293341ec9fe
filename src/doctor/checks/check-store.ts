import type { Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'
import { checkSqlite } from './check-sqlite.ts'

export async function checkStore(patient: Patient): Promise<Finding[]> {
  const { databaseUrl } = patient.config
  if (databaseUrl === undefined) return checkSqlite(patient)
  // Loaded only where it is used, as the service does with its driver.
  const { checkPostgres } = await import('./check-postgres.ts')
  return checkPostgres(patient, databaseUrl)
}
