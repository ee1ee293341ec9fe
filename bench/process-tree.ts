import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time for user space in this unit, whatever the kernel's own is. */
const TICK_MS = 10
/** And memory in pages. */
const PAGES_PER_MIB = 256

/** What a process and all that it has started use. */
export interface TreeUse {
  /** So far, with those that have ended. */
  readonly cpuMs: number
  /** Now. What processes share is counted for each of them. */
  readonly residentMiB: number
}

interface ProcessUse extends TreeUse {
  readonly parent: number
}

/** NaN where the system does not tell. */
export function readTree(root: number): TreeUse {
  const processes = new Map<number, ProcessUse>()
  for (const name of readdirSync('/proc')) {
    const use = /^\d+$/.test(name) ? readUse(name) : undefined
    if (use) processes.set(Number(name), use)
  }
  const isInTree = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = processes.get(at)?.parent) {
      if (at === root) return true
    }
    return false
  }
  const tree = [...processes].filter(([pid]) => isInTree(pid)).map(([, use]) => use)
  if (tree.length === 0) return { cpuMs: NaN, residentMiB: NaN }
  return {
    cpuMs: tree.reduce((sum, use) => sum + use.cpuMs, 0),
    residentMiB: tree.reduce((sum, use) => sum + use.residentMiB, 0),
  }
}

/** proc_pid_stat(5); the name in parentheses may have spaces. */
function readUse(pid: string): ProcessUse | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0)
    const pages = fields[21] ?? NaN
    return { parent, cpuMs: ticks * TICK_MS, residentMiB: pages / PAGES_PER_MIB }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
