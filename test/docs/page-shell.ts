import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PagePorts } from './page-ports.ts'
import type { Snippet } from './read-snippets.ts'
import { startGroup, type Group, type Printed } from './start-group.ts'
import { beginState, writeScript, type ScriptPlace } from './write-script.ts'

/** Far longer than a block takes: a busy machine must fail nothing. */
const BLOCK_MS = 120_000
/** For what listens nowhere that the page names, and prints nothing. */
const SILENT_MS = 5_000
const LOOK_MS = 50

export interface ShellOptions extends ScriptPlace {
  readonly ports: PagePorts
  readonly env: Readonly<Record<string, string>>
}

/** The one shell of a page: what is exported, and where it has gone, stays from block to block. */
export interface PageShell {
  /** Rejects where the block fails, with what it printed. */
  run(snippet: Snippet): Promise<Printed>
  /** Resolves once it listens: where it is told to, else where the page says that something does. */
  start(snippet: Snippet, listensOn: readonly string[]): Promise<Group>
  set(name: string, value: string): void
  /** Ends all that was left running. */
  end(): Promise<void>
}

export function openShell({ ports, env, ...place }: ShellOptions): PageShell {
  const set: Record<string, string> = {}
  const started: Group[] = []
  beginState(place)

  function startBlock(snippet: Snippet): Group {
    const script = writeScript(snippet, ports.toMachine(snippet.text), place)
    const group = startGroup(script, { cwd: place.work, env: { ...env, ...set } })
    started.push(group)
    return group
  }

  function failure({ language, line }: Snippet, why: string, { printed }: Group): Error {
    const told = ports.toPage(printed.all)
    return new Error(`${place.page}:${line}: this block (${language}) ${why}. It printed:\n${told}`)
  }

  return {
    async run(snippet) {
      const group = startBlock(snippet)
      await Promise.race([group.closed, delay(BLOCK_MS, undefined, { ref: false })])
      const { exitCode } = group
      if (exitCode === undefined) {
        throw failure(snippet, `has not ended after ${BLOCK_MS / 1_000} s`, group)
      }
      if (exitCode !== 0) throw failure(snippet, `ended with ${exitCode ?? 'a signal'}`, group)
      if (await group.staysBehind()) {
        throw failure(snippet, 'has left something running: call it "sh background"', group)
      }
      return group.printed
    },
    async start(snippet, listensOn) {
      const told = [...listensOn, ...findPorts(snippet.text)].map(ports.portOf)
      const free: number[] = []
      for (const port of ports.named.map(ports.portOf)) if (!(await answers(port))) free.push(port)
      const group = startBlock(snippet)
      const [late, patient] = [BLOCK_MS, SILENT_MS].map((ms) => AbortSignal.timeout(ms))
      const isUp = async (): Promise<boolean> => {
        if (told.length > 0) return (await Promise.all(told.map(answers))).every(Boolean)
        if (group.printed.all !== '' || patient?.aborted) return true
        return (await Promise.all(free.map(answers))).some(Boolean)
      }
      while (group.exitCode !== 0 && !(await isUp())) {
        const { exitCode } = group
        if (exitCode !== undefined) {
          throw failure(snippet, `ended with ${exitCode ?? 'a signal'}`, group)
        }
        if (late?.aborted) throw failure(snippet, 'does not listen', group)
        await delay(LOOK_MS)
      }
      return group
    },
    set(name, value) {
      set[name] = value
    },
    async end() {
      await Promise.all(started.map((group) => group.end()))
    },
  }
}

/** Where a command is told to listen. */
function findPorts(text: string): string[] {
  return [...text.matchAll(/\bPORT=(\d+)\b/g)].map(([, port = '']) => port)
}

/** Whether something listens there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
