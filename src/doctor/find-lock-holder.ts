import { readFile, stat } from 'node:fs/promises'

/**
 * The process that has a file locked, as the kernel lists it: asking for the lock would be a change,
 * and a service that starts at that moment would be refused. Undefined where nobody has, and where the
 * system tells nothing of it.
 */
export async function findLockHolder(path: string): Promise<number | undefined> {
  try {
    const { ino } = await stat(path)
    const locks = await readFile('/proc/locks', 'utf8')
    return findHolder(locks, ino)
  } catch {
    return undefined
  }
}

/** `1: POSIX  ADVISORY  WRITE 4242 08:01:131104 0 EOF`; the last number of the place is the inode. */
export function findHolder(locks: string, inode: number): number | undefined {
  for (const line of locks.split('\n')) {
    const [, kind, , access, pid, place = ''] = line.trim().split(/\s+/)
    const isOurs = Number(place.split(':').at(-1)) === inode
    if (isOurs && kind === 'POSIX' && access === 'WRITE') return Number(pid)
  }
  return undefined
}
