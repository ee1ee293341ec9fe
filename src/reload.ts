import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { App } from './app.ts'
import { ConfigError, readConfig, type Config, type Environment } from './config.ts'

export interface ReloadTools {
  readonly env: Environment
  /** What the process was started with. */
  readonly config: Config
  readonly app: Pick<App, 'reload'>
  readonly log: Log
}

/** What parley.yaml sets for as long as a process runs, by its key. */
const UNTIL_RESTART: Readonly<Record<string, (config: Config) => unknown>> = {
  'service.name': ({ serviceName }) => serviceName,
  seller: ({ seller }) => seller,
  retention_months: ({ retentionMonths }) => retentionMonths,
}

/**
 * Makes what reads the configuration again and puts in place what can change while the process runs.
 * All of it is checked first: where anything is wrong, the log says what, and nothing changes. Asked
 * again while it is at work, it does it once more.
 */
export function createReload(tools: ReloadTools): () => Promise<void> {
  let last = Promise.resolve()
  let isWaiting = false
  return () => {
    if (isWaiting) return last
    isWaiting = true
    last = last.then(() => {
      isWaiting = false
      return attempt(tools)
    })
    return last
  }
}

async function attempt({ env, config, app, log }: ReloadTools): Promise<void> {
  try {
    const next = readConfig(env)
    const changed = await app.reload(next)
    const needsRestart = Object.entries(UNTIL_RESTART)
      .filter(([, read]) => JSON.stringify(read(next)) !== JSON.stringify(read(config)))
      .map(([key]) => key)
    log.info({ ...changed, needs_restart: needsRestart }, 'configuration reloaded')
  } catch (error) {
    const found =
      error instanceof ConfigError ? { problems: error.problems } : { error: describeError(error) }
    log.error(found, 'configuration not reloaded: all stays as it was')
  }
}
