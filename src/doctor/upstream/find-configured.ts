import { readConfig, type Environment } from '#config.ts'
import { completeBrands } from '#models/index.ts'
import { listTargets, type Target } from './targets.ts'

/** The upstreams that a service would start with. Throws a ConfigError. */
export async function findConfigured(env: Environment): Promise<Target[]> {
  const { brands, ollamaUrl } = readConfig(env)
  return listTargets(await completeBrands(brands, ollamaUrl))
}
