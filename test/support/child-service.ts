import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { startChild, type Child } from './child.ts'

/** The service as it is run: a process of its own, known only by its port and its output. */
export interface ChildService {
  readonly child: Child
  readonly origin: string
  readonly port: number
  /** What it answers to the operator. Throws where that is not a 2xx. */
  operate<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Makes an account of tier 3 with a deposit, and a key for it. */
  openAccount(name: string): Promise<{ readonly accountId: string; readonly key: string }>
}

export interface ChildServiceOptions {
  readonly dataDir: string
  readonly upstreamUrl?: string
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  /** Where it listens; a free one where it is left out. */
  readonly port?: number
  /** Where it runs, if not here: a command that runs it there, and its address as seen from here. */
  readonly place?: { readonly within: readonly string[]; readonly address: string }
}

export const CHILD_OPERATOR_TOKEN = 'operator-token-of-a-child-service'

export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
  const port = options.port ?? (await findFreePort())
  const child = startChild('src/main.ts', [], {
    // Where no parley.yaml lies.
    cwd: options.dataDir,
    ...(options.place && { within: options.place.within }),
    ...(options.nodeArgs && { nodeArgs: options.nodeArgs }),
    env: {
      PORT: `${port}`,
      ...(options.place && { HOST: '0.0.0.0' }),
      PARLEY_DATA_DIR: options.dataDir,
      PARLEY_OPERATOR_TOKEN: CHILD_OPERATOR_TOKEN,
      // Replicas have one in common; each would make its own.
      PARLEY_SECRET: 'secret-of-the-child-services-of-the-tests',
      OLLAMA_HOST: 'http://127.0.0.1:1',
      LOG_LEVEL: 'error',
      PARLEY_OPS_PORT: '0',
      ...(options.upstreamUrl !== undefined && {
        PARLEY_UPSTREAM_URL: options.upstreamUrl,
        PARLEY_UPSTREAM_MODEL: 'fake-model',
      }),
      ...options.env,
    },
  })
  await child.said(/Parley is ready/)
  const origin = `http://${options.place?.address ?? '127.0.0.1'}:${port}`

  async function operate<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${CHILD_OPERATOR_TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  return {
    child,
    origin,
    port,
    operate,
    async openAccount(name) {
      const { id } = await operate<{ id: string }>('POST', '/accounts', {
        email: `${name}@example.com`,
      })
      await operate('PATCH', `/accounts/${id}`, { min_tier: 3 })
      const credit = { kind: 'deposit', amount_eur: '1000.00', reference: `deposit of ${name}` }
      await operate('POST', `/accounts/${id}/credits`, credit)
      const { key } = await operate<{ key: string }>('POST', `/accounts/${id}/keys`, { name })
      return { accountId: id, key }
    },
  }
}

/** What the tests look at of a receipt. */
export interface Receipt {
  readonly request_id: string
  readonly cost_eur: string
  readonly ended: string
}

interface ReceiptPage {
  readonly data: readonly Receipt[]
  readonly next_cursor: string | null
}

/** Every receipt of an account, newest first. */
export async function listReceipts(service: ChildService, accountId: string): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const path = `/accounts/${accountId}/receipts?limit=100${query}`
    const page = await service.operate<ReceiptPage>('GET', path)
    receipts.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return receipts
}

/** A port that nothing listened on a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
