import { execFileSync } from 'node:child_process'

/** The engines' processes that a process has started, by their ids. */
export function listEngines(parentPid: number = process.pid): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, ppid, ...args]) => ppid === `${parentPid}` && args.join(' ').includes('llama-process'),
    )
    .map(([pid]) => Number(pid))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
