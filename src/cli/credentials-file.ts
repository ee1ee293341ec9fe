import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseJson } from './call-service.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'

/** What `parley login` was given by one service. */
export interface Credentials {
  readonly issuer: string
  readonly client_id: string
  /** Whose they are: the person's id. */
  readonly sub: string
  readonly access_token: string
  /** Good for one use; null where the service gave none. */
  readonly refresh_token: string | null
  /** Of the access token, in Unix milliseconds. */
  readonly expires_at: number
}

/** The credentials of a person, by the service that gave them, in a file for that person alone. */
export interface CredentialsFile {
  read(service: string): Credentials | undefined
  /**
   * Runs one at a time, of all commands of this person, for as long as it takes: a refresh token is
   * good for one use, and whoever writes the file writes all of it.
   */
  locked<Result>(work: (write: WriteCredentials) => Promise<Result>): Promise<Result>
}

/** Undefined forgets those of the service; the file goes with the last ones. */
export type WriteCredentials = (service: string, credentials: Credentials | undefined) => void

type Kept = Readonly<Record<string, Credentials>>

const LOCK_RETRY_MS = 50
const LOCK_WAIT_MS = 30_000
/** Longer than anybody holds it: its owner was killed. */
const LOCK_STALE_MS = 60_000

export function openCredentials({ env }: CommandIo): CredentialsFile {
  const directory = findDirectory(env)
  const path = join(directory, 'credentials.json')
  const write: WriteCredentials = (service, credentials) => {
    const { [service]: _old, ...others } = readAll(directory, path)
    const kept: Kept = credentials ? { ...others, [service]: credentials } : others
    if (Object.keys(kept).length === 0) rmSync(path, { force: true })
    else replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`)
  }
  return {
    read: (service) => readAll(directory, path)[service],
    async locked(work) {
      prepareDirectory(directory)
      const lock = join(directory, 'credentials.lock')
      await takeLock(lock)
      try {
        return await work(write)
      } finally {
        rmSync(lock, { force: true })
      }
    },
  }
}

/** As the XDG base directories say: what is not absolute counts for nothing. */
function findDirectory(env: CommandIo['env']): string {
  const configured = env['XDG_CONFIG_HOME']
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'parley')
  const home = env['HOME'] ?? env['USERPROFILE']
  if (home) return join(home, '.config', 'parley')
  throw new CommandError(
    'There is no place for credentials: set HOME, or XDG_CONFIG_HOME to a directory.',
  )
}

function prepareDirectory(directory: string): void {
  refuseLink(directory)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
  } catch (error) {
    throw cannot('be written', directory, error)
  }
}

/** What a link leads to may be somebody else's, or for everybody to read. */
function refuseLink(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isSymbolicLink()) return
  throw new CommandError(`${path} is a link, which credentials are not kept behind: delete it.`)
}

function readAll(directory: string, path: string): Kept {
  refuseLink(directory)
  refuseLink(path)
  let text: string
  try {
    text = readFileSync(path, { encoding: 'utf8', flag: constants.O_RDONLY | NO_FOLLOW })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw cannot('be read', path, error)
  }
  const kept = parseJson(text)
  if (isKept(kept)) return kept
  throw new CommandError(`${path} has no credentials in it: delete it, then run parley login.`)
}

/** Windows has no such flag, and hardly any links. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value as Record<string, Partial<Credentials> | null>).every(
    (one) =>
      [one?.issuer, one?.client_id, one?.sub, one?.access_token].every(
        (text) => typeof text === 'string',
      ) &&
      (typeof one?.refresh_token === 'string' || one?.refresh_token === null) &&
      typeof one.expires_at === 'number',
  )
}

/** Whole or not at all: a power cut leaves the old file or the new one. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw cannot('be written', path, error)
  }
}

async function takeLock(lock: string): Promise<void> {
  const untilMs = Date.now() + LOCK_WAIT_MS
  while (!tryLock(lock)) {
    if (Date.now() > untilMs) {
      throw new CommandError(
        `Another parley is at work with your credentials. Try again; if there is none, delete ${lock}.`,
      )
    }
    await delay(LOCK_RETRY_MS)
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannot('be written', lock, error)
    const found = lstatSync(lock, { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - LOCK_STALE_MS) rmSync(lock, { force: true })
    return false
  }
}

function cannot(what: string, path: string, error: unknown): CommandError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return new CommandError(`${path} cannot ${what} (${code}): see to its owner and mode.`, {
    cause: error,
  })
}
