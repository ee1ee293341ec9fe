import { BRANDS, completeBrands, type Brand, type UpstreamOptions } from '#models/index.ts'
import { note, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'
import { checkBriefly } from '../upstream/check-upstream.ts'
import { listTargets } from '../upstream/targets.ts'

/** A short reply from each, as the service would ask for it: a few tokens are paid. */
export async function checkUpstreams(patient: Patient): Promise<Finding[]> {
  const { config, timeoutMs } = patient
  const brands = await completeBrands(config.brands, config.ollamaUrl)
  const simulated = BRANDS.filter((brand) => brands[brand].upstreams.some(isSimulated))
  const targets = listTargets(brands)
  const found = await Promise.all(
    targets.map(async ({ label, uses, options }) => {
      const replyTimeoutMs = timeoutMs * 3
      const findings = await checkBriefly({ options, uses, timeoutMs, replyTimeoutMs })
      return findings.map((finding) => ({ ...finding, found: `${label}: ${finding.found}` }))
    }),
  )
  return [...describeSimulated(simulated), ...found.flat()]
}

function isSimulated({ kind }: UpstreamOptions): boolean {
  return kind === 'simulated'
}

function describeSimulated(brands: readonly Brand[]): Finding[] {
  if (brands.length === 0) return []
  const found = `The simulated model answers for ${brands.join(', ')}: nothing that it says is thought up.`
  return [note(found, 'Set PARLEY_UPSTREAM_URL, or describe upstreams in parley.yaml.')]
}
