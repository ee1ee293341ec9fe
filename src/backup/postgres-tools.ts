import { spawn } from 'node:child_process'
import { BackupRefused } from './backup-refused.ts'

/** PostgreSQL's own tools, which know all that a database can hold. */
export type ToolName = 'pg_dump' | 'pg_restore'

export interface ToolOptions {
  /** Where the tool is found (PATH), and what it reads itself (PGSSLROOTCERT, HOME for a .pgpass). */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** The last of what a tool complains of is enough, and may be much. */
const MAX_COMPLAINT = 2_000

/** The major version of the tool. Throws a BackupRefused that says what to install where there is none. */
export async function findTool(name: ToolName, options: ToolOptions): Promise<number> {
  const { stdout } = await run(name, ['--version'], options)
  const major = /\s(\d+)(?:\.|devel|beta|rc|\s|$)/.exec(stdout)?.[1]
  if (major === undefined) throw new BackupRefused(`${name} does not tell its version: ${stdout}`)
  return Number(major)
}

export async function runTool(
  name: ToolName,
  args: readonly string[],
  options: ToolOptions,
): Promise<void> {
  const { code, stderr } = await run(name, args, options)
  if (code === 0) return
  throw new BackupRefused(`${name} failed, and nothing was changed:\n${stderr.trimEnd()}`)
}

/**
 * How a tool is told where the database is. The password goes by the environment: any user of the machine
 * can read a command's arguments.
 */
export function addressTool(
  url: string,
  env: ToolOptions['env'],
): { readonly dbname: string; readonly env: ToolOptions['env'] } {
  const address = new URL(url)
  const password = address.searchParams.get('password') ?? decodeURIComponent(address.password)
  address.searchParams.delete('password')
  address.password = ''
  return {
    dbname: `--dbname=${address.href}`,
    env: { ...env, ...(password !== '' && { PGPASSWORD: password }) },
  }
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(name: ToolName, args: readonly string[], { env, signal }: ToolOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { env, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_COMPLAINT)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_COMPLAINT)
    })
    let failure: Error | undefined
    child.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code === 'ENOENT' ? explainMissing(name) : error
      // What never began has no end either.
      if (child.pid === undefined) reject(failure)
    })
    // Only when the tool has ended: until then it may still write.
    child.on('close', (code) => {
      if (failure) reject(failure)
      else resolve({ code, stdout, stderr })
    })
  })
}

function explainMissing(name: ToolName): BackupRefused {
  return new BackupRefused(
    `There is no ${name} here. Install PostgreSQL's client of the server's version or a later one ` +
      '(Debian and Ubuntu: apt-get install postgresql-client; Alpine: apk add postgresql-client), and see ' +
      'that PATH finds it.',
  )
}
