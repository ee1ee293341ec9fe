import { constants, type Stats } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { createSpillFile } from '#ledger/index.ts'
import { findLockHolder } from '../find-lock-holder.ts'
import { counted, note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

const MEBIBYTE = 1024 * 1024
/** Below the one the store soon cannot write; below the other somebody should make room. */
const FREE_MIB = { problem: 200, warning: 2_048 } as const
/** Who can read one of these has every balance, or the operator's rights. */
const SECRET_FILES = ['operator-token', 'secret', 'parley.db', 'spill.jsonl', 'mails']
/** Of statfs: what is kept there is gone with the power. */
const TMPFS = 0x01_02_19_94

/** Where secrets, the embedded store and the spill file are. */
export async function checkDataDirectory({ config }: Patient): Promise<Finding[]> {
  const { dataDir } = config
  const found = await statOf(dataDir)
  if (found === undefined) return [note(`${dataDir} is not there yet: the first start makes it.`)]
  if (!found.isDirectory()) {
    return [problem(`${dataDir} is no directory.`, 'Set PARLEY_DATA_DIR to one.')]
  }
  if (!(await mayWrite(dataDir))) {
    const advice = "Give it to the service's user, or run this as that user."
    return [
      problem(`${dataDir} cannot be written to by user ${process.getuid?.() ?? '?'}.`, advice),
    ]
  }
  return [
    ok(`${dataDir} is there, and can be written to.`),
    ...(await checkOwner(dataDir, found)),
    ...(await checkSecrecy(dataDir, found)),
    ...(await checkSpace(dataDir, config.production)),
    ...(await checkSpill(dataDir)),
    ...(await checkMark(dataDir, config.databaseUrl)),
  ]
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

async function mayWrite(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function checkOwner(directory: string, { uid }: Stats): Promise<Finding[]> {
  const holder = await findLockHolder(join(directory, 'parley.lock'))
  const user = process.getuid?.()
  const byOther =
    user !== undefined && user !== uid && user !== 0
      ? [
          warning(
            `It belongs to user ${uid}, and this command runs as user ${user}.`,
            "Run this as the service's user, to see what the service sees.",
          ),
        ]
      : []
  return [...byOther, ...(holder === undefined ? [] : [ok(`Process ${holder} has it to itself.`)])]
}

/** In a directory that nobody else may enter, the modes of its files do not matter. */
async function checkSecrecy(directory: string, { mode }: Stats): Promise<Finding[]> {
  if (process.platform === 'win32' || (mode & 0o011) === 0) return []
  const open: string[] = []
  for (const name of SECRET_FILES) {
    const file = await statOf(join(directory, name))
    if (file && (file.mode & 0o077) !== 0) open.push(name)
  }
  if (open.length === 0) return []
  const advice = `chmod -R go= ${directory}`
  return [problem(`Other users of this machine can read ${open.join(', ')}.`, advice)]
}

async function checkSpace(directory: string, production: boolean): Promise<Finding[]> {
  const { bavail, bsize, blocks, type } = await statfs(directory)
  const freeMib = Math.floor((bavail * bsize) / MEBIBYTE)
  const part = blocks > 0 ? ` (${Math.round((bavail / blocks) * 100)} %)` : ''
  const found = `${formatMib(freeMib)} free${part}.`
  const advice = 'Make room: when nothing is left, requests are refused with 503.'
  const inMemory = 'It is on a file system in memory: it is gone when the machine is.'
  const memory = production
    ? [problem(inMemory, 'Set PARLEY_DATA_DIR to a disk.')]
    : [note(inMemory)]
  return [judgeSpace(freeMib, found, advice), ...(type === TMPFS ? memory : [])]
}

export function judgeSpace(freeMib: number, found: string, advice: string): Finding {
  if (freeMib < FREE_MIB.problem) return problem(found, advice)
  return freeMib < FREE_MIB.warning ? warning(found, advice) : ok(found)
}

function formatMib(mib: number): string {
  return mib >= 10_240 ? `${Math.round(mib / 1_024).toLocaleString('en')} GiB` : `${mib} MiB`
}

/** Charges that the store could not take, which the next start books. */
async function checkSpill(directory: string): Promise<Finding[]> {
  const path = join(directory, 'spill.jsonl')
  if ((await statOf(path)) === undefined) return [ok('No charge waits in a spill file.')]
  const broken: number[] = []
  const charges = await createSpillFile(path).read((line) => broken.push(line))
  const advice = 'Keep the file; the service books it when the store is back, or at its next start.'
  const waiting = warning(
    `${counted(charges.length, 'charge')} in spill.jsonl, to be booked.`,
    advice,
  )
  if (broken.length === 0) return [waiting]
  const lines = `lines ${broken.slice(0, 5).join(', ')} of spill.jsonl are no charges.`
  const see = 'See docs/operate/runbooks.md, "A spill file is there at the start".'
  return [waiting, problem(`${broken.length} ${lines}`, see)]
}

async function checkMark(directory: string, databaseUrl: string | undefined): Promise<Finding[]> {
  const names = await readdir(directory)
  if (!names.includes('MOVED') || databaseUrl !== undefined) return []
  const found = 'The store in it was moved to PostgreSQL: no service starts on it.'
  return [problem(found, 'Set DATABASE_URL to use it where it is now.')]
}
