import {
  BRANDS,
  completeBrands,
  ENGINE,
  findEngine,
  readModelFile,
  type Brand,
  type BrandOptions,
  type LlamaOptions,
  type UpstreamOptions,
} from '#models/index.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import { note, ok, problem, type Finding } from '../finding.ts'
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
  return [...describeSimulated(simulated), ...checkModelFiles(brands), ...found.flat()]
}

/** Whether each model file that is run here is there, and its engine: not whether it replies. */
function checkModelFiles(brands: Record<Brand, BrandOptions>): Finding[] {
  const files = new Map<string, { options: LlamaOptions; users: Brand[] }>()
  for (const brand of BRANDS) {
    for (const options of brands[brand].upstreams) {
      if (options.kind !== 'llama') continue
      const file = files.get(options.path) ?? { options, users: [] }
      file.users.push(brand)
      files.set(options.path, file)
    }
  }
  return [...files.values()].map(({ options, users }) => checkModelFile(options, users.join(', ')))
}

function checkModelFile({ path, dataDir }: LlamaOptions, users: string): Finding {
  const file = readModelFile(path)
  if (!file) return problem(`${users}: there is no model file ${path}.`, 'Put it there.')
  if (findEngine(dataDir) === undefined) {
    const found = `${users}: ${path} has no engine: ${ENGINE.package} is not installed.`
    return problem(found, 'Run parley model install.')
  }
  return ok(`${users}: ${path} (${formatBytes(file.sizeBytes)}) is run here.`)
}

function isSimulated({ kind }: UpstreamOptions): boolean {
  return kind === 'simulated'
}

function describeSimulated(brands: readonly Brand[]): Finding[] {
  if (brands.length === 0) return []
  const found = `The simulated model answers for ${brands.join(', ')}: nothing that it says is thought up.`
  return [note(found, 'Set PARLEY_UPSTREAM_URL, or describe upstreams in parley.yaml.')]
}
