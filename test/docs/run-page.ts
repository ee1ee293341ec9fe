import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig, type Environment } from '../../src/config.ts'
import { makePlace } from './make-place.ts'
import { findMismatch } from './match-output.ts'
import { findPorts, OPS_PORT, SERVICE_PORT, type PagePorts } from './page-ports.ts'
import { POSTGRES_PORT, startPagePostgres } from './page-postgres.ts'
import {
  findKey,
  OPERATOR_TOKEN,
  raiseTier,
  startPageService,
  startsService,
} from './page-service.ts'
import { openShell, type PageShell } from './page-shell.ts'
import type { Snippet } from './read-snippets.ts'
import type { Printed } from './start-group.ts'

export interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly snippets: readonly Snippet[]
}

export interface PageOptions {
  /** Empty, and removed by the caller. */
  readonly directory: string
  /** A Python that has what `requirements.txt` names; undefined: blocks that need it are passed over. */
  readonly python: string | undefined
}

/** For what runs in the background to print what its page says. */
const PRINT_MS = 30_000
const LOOK_MS = 50

export function needsPython({ language, text, use }: Snippet): boolean {
  if (use.kind !== 'run') return false
  return language === 'py' || (language === 'sh' && /\bpython3?\b/.test(text))
}

export function needsRun({ snippets }: Page): boolean {
  return snippets.some(({ use }) => use.kind === 'run' || use.kind === 'background')
}

/** Runs a page's blocks, one after another as its reader does. Rejects with the place and what was printed. */
export async function runPage(page: Page, options: PageOptions): Promise<void> {
  for (const snippet of page.snippets) checkText(page, snippet, options.directory)
  if (!needsRun(page)) return
  const scratch = join(options.directory, 'scratch')
  const home = join(options.directory, 'home')
  mkdirSync(scratch)
  mkdirSync(home)
  const work = makePlace(options.directory)
  const postgres = await startPagePostgres(page.snippets)
  const ports = await findPorts(page.snippets, { [POSTGRES_PORT]: postgres?.port })
  const port = ports.portOf(SERVICE_PORT)
  const origin = `http://127.0.0.1:${port}`
  const env = makeEnvironment(home, options)
  const shell = openShell({ page: page.path, work, scratch, ports, env })
  shell.set('PARLEY_URL', origin)
  shell.set('PORT', `${port}`)
  const isOwn = page.snippets.some(startsService)
  const listensOn = { PORT: `${port}`, PARLEY_OPS_PORT: `${ports.portOf(OPS_PORT)}` }
  const service = isOwn
    ? undefined
    : await startPageService(hasStore(page) ? home : work, { ...env, ...listensOn })
  try {
    if (service) await welcome(shell, origin, service.key)
    await runBlocks(page, { ...options, shell, ports, work, origin })
  } finally {
    await shell.end()
    await service?.end()
    await postgres?.close()
  }
}

/** Whether the page begins a store of its own where the service would have its own. */
function hasStore({ snippets }: Page): boolean {
  return snippets.some(
    ({ use, text }) => use.kind !== 'skip' && text.includes('PARLEY_DATA_DIR=./data'),
  )
}

/** What has to hold of a block whether it runs or not. */
function checkText({ path }: Page, { use, text, line }: Snippet, directory: string): void {
  const place = `${path}:${line}`
  try {
    if (use.kind === 'json') JSON.parse(text)
    if (use.kind === 'config') {
      const file = join(directory, 'parley.yaml')
      writeFileSync(file, text)
      const env: Record<string, string> = { PARLEY_CONFIG: file }
      // Months are closed on PostgreSQL alone.
      if (text.includes('retention_months')) env['DATABASE_URL'] = 'postgres://127.0.0.1/parley'
      for (const [, name = ''] of text.matchAll(/\$\{(\w+)\}/g)) env[name] = 'a-secret'
      readConfig(env satisfies Environment)
    }
  } catch (cause) {
    throw new Error(`${place}: ${(cause as Error).message}`, { cause })
  }
}

function makeEnvironment(
  home: string,
  { python }: PageOptions,
): Record<string, string> & { PATH: string } {
  const inherited = process.env['PATH'] ?? ''
  const folders = [dirname(process.execPath), inherited]
  if (python !== undefined) folders.unshift(dirname(python))
  return {
    PATH: folders.join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    // A model of this machine's would answer otherwise than the simulated one.
    OLLAMA_HOST: 'http://127.0.0.1:1',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    // What a page needs is there: nothing is asked of a registry.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  }
}

async function welcome(shell: PageShell, origin: string, key: string): Promise<void> {
  shell.set('PARLEY_API_KEY', key)
  await raiseTier(origin)
}

interface Running extends PageOptions {
  readonly shell: PageShell
  readonly ports: PagePorts
  readonly work: string
  readonly origin: string
}

async function runBlocks(page: Page, running: Running): Promise<void> {
  let last: Last | undefined
  for (const snippet of page.snippets) {
    const { use, file, text } = snippet
    if (file !== undefined && use.kind !== 'skip') {
      mkdirSync(dirname(join(running.work, file)), { recursive: true })
      writeFileSync(join(running.work, file), `${running.ports.toMachine(text)}\n`)
    }
    switch (use.kind) {
      case 'run':
        last = await runBlock(snippet, running)
        break
      case 'background':
        last = await startBlock(snippet, running)
        break
      case 'output':
        if (last) await expectOutput(page, snippet, last, running.ports)
        break
      case 'write':
      case 'config':
      case 'json':
      case 'skip':
      case 'show':
    }
  }
}

/** The block that ran last, and what it has printed, as of now. */
interface Last {
  readonly runs: boolean
  readonly printed: Printed
}

async function runBlock(snippet: Snippet, { shell, python }: Running): Promise<Last | undefined> {
  if (needsPython(snippet) && python === undefined) return undefined
  return { runs: false, printed: await shell.run(snippet) }
}

async function startBlock(snippet: Snippet, { shell, origin }: Running): Promise<Last> {
  const isService = startsService(snippet)
  const { printed } = await shell.start(snippet, isService ? [SERVICE_PORT] : [])
  if (isService) {
    await waitUntil(() => findKey(printed.stdout) !== undefined)
    await welcome(shell, origin, findKey(printed.stdout) ?? '')
  }
  return { runs: true, printed }
}

async function expectOutput(
  { path }: Page,
  { language, text, line }: Snippet,
  { runs, printed }: Last,
  ports: PagePorts,
): Promise<void> {
  const mismatch = (actual: string) => findMismatch(language, text, ports.toPage(actual))
  const matches = () => [printed.stdout, printed.all].some((one) => mismatch(one) === undefined)
  if (runs) await waitUntil(matches)
  if (matches()) return
  throw new Error(
    `${path}:${line}: this is not what was printed. There is not, in its place:\n` +
      `${mismatch(printed.stdout)}\n\nWhat was printed:\n${ports.toPage(printed.all)}`,
  )
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  const until = AbortSignal.timeout(PRINT_MS)
  while (!until.aborted && !isSo()) await delay(LOOK_MS)
}
