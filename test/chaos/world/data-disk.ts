import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a service keeps its data: a small disk of its own, which can be full or read-only. */
export interface DataDisk {
  readonly dataDir: string
  /** Why this machine lets it be neither; undefined where it can be both. */
  readonly whyNot: string | undefined
  /** Takes all room but so many bytes. */
  fill(leftBytes: number): void
  /** Refuses writes to the store's files and, where wanted, new files beside them. */
  makeReadOnly(which: 'store' | 'everything'): void
  mend(): void
  remove(): void
}

const DISK_BYTES = 96 * 1024 * 1024
const BLOCK_BYTES = 4_096

/** Makes a file, a file system in it, and mounts that; where it may not, a directory has to do. */
export function openDataDisk(): DataDisk {
  const root = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
  const mountPoint = join(root, 'disk')
  mkdirSync(mountPoint)
  const whyNot = mountImage(join(root, 'disk.img'), mountPoint)
  const dataDir = join(mountPoint, 'data')
  mkdirSync(dataDir)
  const ballast = join(mountPoint, 'ballast')
  const files = ['parley.db', 'parley.db-wal', 'spill.jsonl'].map((name) => join(dataDir, name))

  function remove(): void {
    // Lazily: should a service still be about to die, its disk goes with it.
    if (whyNot === undefined) spawnSync('umount', ['-l', mountPoint], { stdio: 'pipe' })
    rmSync(root, { recursive: true, force: true })
  }

  // However the driver ends, no mount is left behind.
  process.once('exit', remove)
  return {
    dataDir,
    whyNot,
    fill(leftBytes) {
      giveBackWal(dataDir)
      fillUp(mountPoint, ballast, leftBytes)
    },
    makeReadOnly(which) {
      setImmutable(which === 'store' ? files.slice(0, 2) : [...files, dataDir], '+')
      if (canBeWritten(files[0] as string)) throw new Error('the disk is not read-only after all')
    },
    mend() {
      if (whyNot !== undefined) return
      setImmutable([dataDir, ...files], '-')
      rmSync(ballast, { force: true })
    },
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Undefined when it is mounted; else the reason why not. */
function mountImage(image: string, mountPoint: string): string | undefined {
  try {
    appendFileSync(image, '')
    truncateSync(image, DISK_BYTES)
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { stdio: 'pipe' })
    execFileSync('mount', ['-o', 'loop', image, mountPoint], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `a disk of its own cannot be mounted here (${(error as Error).message.split('\n')[0]})`
  }
}

function setImmutable(paths: readonly string[], sign: '+' | '-'): void {
  // One by one, for the spill file may vanish between a look at it and the touch.
  for (const path of paths) {
    if (existsSync(path)) spawnSync('chattr', [`${sign}i`, path], { stdio: 'pipe' })
  }
}

function canBeWritten(path: string): boolean {
  try {
    closeSync(openSync(path, 'a'))
    return true
  } catch {
    return false
  }
}

/** The log of a store is used again from its beginning: only an emptied one must grow to be written. */
function giveBackWal(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 500 })
  try {
    database.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // It cannot be done while another fault has the store: then the disk is full all the same.
  } finally {
    database.close()
  }
}

function fillUp(mountPoint: string, ballast: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(mountPoint)
  // Somewhat less than all, for the file system's own books; then block by block.
  const roughly = Math.max(BLOCK_BYTES, bavail * bsize - 256 * 1024)
  execFileSync('fallocate', ['-l', String(roughly), ballast], { stdio: 'pipe' })
  const block = Buffer.alloc(BLOCK_BYTES)
  try {
    for (;;) appendFileSync(ballast, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  truncateSync(ballast, Math.max(0, statSync(ballast).size - leftBytes))
}
