import packageJson from '../../../package.json' with { type: 'json' }
import { ok, problem, warning, type Finding } from '../finding.ts'

/** Which Node this is, against the one that a release was tested with. */
export function checkNode(version: string): Finding[] {
  const tested = packageJson.dependencies.node
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [testedMajor = 0, testedMinor = 0] = tested.split('.').map(Number)
  if (major === testedMajor && minor >= testedMinor) {
    return [ok(`Node ${version}; this release of Parley is tested with ${tested}.`)]
  }
  const advice = 'Run it by "npx parley" or "npm start", which bring the right Node with them.'
  const found = `Node ${version}, but this release of Parley is tested with ${tested}.`
  return [major < testedMajor ? problem(found, advice) : warning(found, advice)]
}
