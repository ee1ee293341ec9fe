import { canBuild } from '../web/can-build.ts'

// What builds is loaded only where it is installed.
if (canBuild('The documentation', `${import.meta.dirname}/dist/pages`)) {
  const { buildSite } = await import('./build-site.ts')
  await buildSite()
}
