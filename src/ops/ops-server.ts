import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Log } from '#platform/log.ts'
import type { Metrics } from './metrics.ts'
import { readReadiness, type ReadinessOptions } from './readiness.ts'

export interface OpsOptions extends ReadinessOptions {
  readonly metrics: Metrics
  readonly log: Log
}

/** Where it listens; one that nobody chose is done without where something else listens there. */
export interface OpsPlace {
  readonly host: string
  readonly port: number
  readonly isChosen: boolean
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const TEXT = 'text/plain; charset=utf-8'
const INDEX = [
  '/metrics  for Prometheus',
  '/healthz  whether this process is alive',
  '/readyz   whether it should be sent requests',
  '',
].join('\n')

/**
 * Serves GET /metrics, /healthz and /readyz for those who watch the service. A port of its own keeps
 * callers from it, and lets a full service answer its watchers. Undefined where it does without.
 */
export async function startOps(options: OpsOptions, place: OpsPlace): Promise<Server | undefined> {
  const server = createServer((request, response) => {
    void answer(options, request)
      .catch((): Answer => ({ status: 500, type: TEXT, text: 'the figures could not be read\n' }))
      .then(({ status, type, text }) => {
        response.writeHead(status, {
          'content-type': type,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        response.end(request.method === 'HEAD' ? undefined : text)
      })
  })
  const { host, port, isChosen } = place
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return server
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isChosen || code !== 'EADDRINUSE') throw error
    options.log.warn({ port }, 'no metrics: something else listens there; set PARLEY_OPS_PORT')
    return undefined
  }
}

async function answer(options: OpsOptions, request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, type: TEXT, text: 'only GET\n' }
  }
  const [path = '/'] = (request.url ?? '').split('?', 1)
  switch (path) {
    case '/metrics': {
      const { registry } = options.metrics
      return { status: 200, type: registry.contentType, text: await registry.metrics() }
    }
    case '/healthz':
      return { status: 200, type: TEXT, text: 'alive\n' }
    case '/readyz': {
      const readiness = await readReadiness(options)
      const text = `${JSON.stringify(readiness)}\n`
      return { status: readiness.ready ? 200 : 503, type: 'application/json', text }
    }
    case '/':
      return { status: 200, type: TEXT, text: INDEX }
    default:
      return { status: 404, type: TEXT, text: INDEX }
  }
}
