import { canBuild } from './can-build.ts'
import { compress } from './compress.ts'

const DIST = `${import.meta.dirname}/dist`

/**
 * Builds the console into web/dist, with each file compressed beside it. `npm ci` runs it; where only
 * what the service runs on is installed there is nothing to build with, and what was built before stays.
 */
async function main(): Promise<void> {
  if (!canBuild('The console', `${DIST}/index.html`)) return
  const { build } = await import('vite')
  await build({ configFile: `${import.meta.dirname}/vite.config.ts`, logLevel: 'warn' })
  compress(`${DIST}/assets`)
}

await main()
