import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time for user space in this unit, whatever the kernel's own is. */
const TICK_MS = 10

interface ProcessTimes {
  readonly parent: number
  /** Its own and that of its children that have ended. */
  readonly cpuMs: number
}

/** What a process and all that it has started have used so far; NaN where the system does not tell. */
export function readCpuOfTreeMs(root: number): number {
  const processes = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(name) : undefined
    if (times) processes.set(Number(name), times)
  }
  const isInTree = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = processes.get(at)?.parent) {
      if (at === root) return true
    }
    return false
  }
  const tree = [...processes].filter(([pid]) => isInTree(pid))
  return tree.length === 0 ? NaN : tree.reduce((sum, [, { cpuMs }]) => sum + cpuMs, 0)
}

/** proc_pid_stat(5); the name in parentheses may have spaces. */
function readTimes(pid: string): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0)
    return { parent, cpuMs: ticks * TICK_MS }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
