import { resolve } from 'node:path'
import { readSecret } from '#platform/secrets.ts'
import { callService, explained, parseJson, readServiceUrl } from './call-service.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'

/** The operator's surface of a running service. What it refuses is thrown as a CommandError. */
export interface OperatorClient {
  get<Reply>(path: string, query?: Query, patience?: Patience): Promise<Reply>
  send<Reply>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer<Reply>>
}

export type Query = Readonly<Record<string, string | undefined>>

export interface Answer<Reply> {
  readonly status: number
  /** Undefined where the answer has no body. */
  readonly reply: Reply
}

/** How long an answer may take: as long as it takes where it is "any". */
export type Patience = number | 'any'

const TIMEOUT_MS = 30_000

export function createOperatorClient(io: CommandIo): OperatorClient {
  const url = readServiceUrl(io)
  const { token, source } = readOperatorToken(io)

  async function call<Reply>(
    method: string,
    path: string,
    body?: unknown,
    patience: Patience = TIMEOUT_MS,
  ): Promise<Answer<Reply>> {
    const signal = patience === 'any' ? NEVER : AbortSignal.timeout(patience)
    const place = { url, method, path: `/operator/v1${path}` }
    const operation = { ...place, token, body, signal, isPatient: patience !== TIMEOUT_MS }
    const response = await callService(operation).catch((error: unknown) => {
      if (!isWrongToken(error)) throw error
      throw new CommandError(
        `${url} refuses the operator token from ${source}: set PARLEY_OPERATOR_TOKEN to the token of that service. [${error.code}]`,
        { code: error.code, cause: error },
      )
    })
    const text = await explained(url, () => response.text())
    // The service's word is taken for its replies' shapes: the contract's tests hold it to them.
    return { status: response.status, reply: parseReply(url, text) as Reply }
  }

  return {
    async get<Reply>(path: string, query: Query = {}, patience: Patience = TIMEOUT_MS) {
      const { reply } = await call<Reply>('GET', path + writeQuery(query), undefined, patience)
      return reply
    },
    send: (method, path, body) => call(method, path, body),
  }
}

const NEVER = new AbortController().signal

function isWrongToken(error: unknown): error is CommandError & { code: string } {
  return error instanceof CommandError && error.code === 'invalid_operator_token'
}

function parseReply(url: string, text: string): unknown {
  if (text === '') return undefined
  const reply = parseJson(text)
  if (reply !== undefined) return reply
  throw new CommandError(
    `${url} does not answer as Parley does. Set PARLEY_URL to the service's address.`,
  )
}

function writeQuery(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function readOperatorToken({ env }: CommandIo): { token: string; source: string } {
  const given = env['PARLEY_OPERATOR_TOKEN']
  if (given) return { token: given, source: 'PARLEY_OPERATOR_TOKEN' }
  const directory = resolve(env['PARLEY_DATA_DIR'] ?? './data')
  const source = resolve(directory, 'operator-token')
  const token = readKeptToken(directory, source)
  if (token) return { token, source }
  throw new CommandError(
    `No operator token: PARLEY_OPERATOR_TOKEN is not set and there is no file ${source}. Set it, or run this where the service runs.`,
  )
}

function readKeptToken(directory: string, source: string): string | undefined {
  try {
    return readSecret(directory, 'operator-token')
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new CommandError(
      `The operator token in ${source} cannot be read (${code}). Run this as the service's user, or set PARLEY_OPERATOR_TOKEN.`,
      { cause: error },
    )
  }
}
