import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Sample } from './probe.ts'

const PROBE = new URL('./probe.ts', import.meta.url)

/** What has a process answer `takeSample` at a path. */
export function listProbeArgs(path: string): readonly string[] {
  const probe = new URL(PROBE)
  probe.searchParams.set('path', path)
  return ['--expose-gc', '--import', probe.href]
}

export async function takeSample(path: string): Promise<Sample> {
  return JSON.parse(await text(connect(path))) as Sample
}
