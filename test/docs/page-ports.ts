import { findFreePort } from '../support/child-service.ts'
import type { Snippet } from './read-snippets.ts'

/** The port that pages give the service. */
export const SERVICE_PORT = '8080'
/** Where pages ask for its health and its metrics. */
export const OPS_PORT = '9464'

const NAMED = /(?:\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0):|\bPORT=)(\d{4,5})\b/g

/** Ports of this machine for those that a page names, so that pages run where others do. */
export interface PagePorts {
  /** Of this machine, for one that the page names. */
  portOf(named: string): number
  toMachine(text: string): string
  /** Back to what the page says. */
  toPage(text: string): string
  /** All that the page names, as it names them. */
  readonly named: readonly string[]
}

/** Takes those that are known by now as they are. */
export async function findPorts(
  snippets: readonly Snippet[],
  known: Readonly<Record<string, number | undefined>>,
): Promise<PagePorts> {
  const named = new Set([SERVICE_PORT, OPS_PORT])
  for (const { text } of snippets.filter(isUsed)) {
    for (const [, port = ''] of text.matchAll(NAMED)) named.add(port)
  }
  const there = new Map<string, string>()
  for (const port of named) {
    there.set(port, `${known[port] ?? (await findFreePort())}`)
  }
  const back = new Map([...there].map(([page, machine]) => [machine, page]))
  const exchange = (text: string, ports: ReadonlyMap<string, string>): string =>
    text.replaceAll(/\b\d{4,5}\b/g, (port) => ports.get(port) ?? port)
  return {
    portOf: (port) => Number(there.get(port)),
    toMachine: (text) => exchange(text, there),
    toPage: (text) => exchange(text, back),
    named: [...named],
  }
}

/** Whether what a block says is done, or has been done. */
export function isUsed({ use }: Snippet): boolean {
  return use.kind !== 'skip' && use.kind !== 'show'
}
