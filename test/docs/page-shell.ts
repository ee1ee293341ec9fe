import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PagePorts } from './page-ports.ts'
import type { Snippet } from './read-snippets.ts'
import { startGroup, type Group, type Printed } from './start-group.ts'
import { beginState, writeScript, type ScriptPlace } from './write-script.ts'

/** Far longer than a block takes: a busy machine must fail nothing. */
const BLOCK_MS = 120_000
const LOOK_MS = 50

export interface ShellOptions extends ScriptPlace {
  readonly ports: PagePorts
  readonly env: Readonly<Record<string, string>>
}

/** The one shell of a page: what is exported, and where it has gone, stays from block to block. */
export interface PageShell {
  /** Rejects where the block fails, with what it printed. */
  run(snippet: Snippet): Promise<Printed>
  /** Resolves once it listens there or, where that is nowhere, has printed something. */
  start(snippet: Snippet, listensOn: readonly number[]): Promise<Group>
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
      const group = startBlock(snippet)
      const late = AbortSignal.timeout(BLOCK_MS)
      while (group.exitCode !== 0 && !(await isUp(group, listensOn))) {
        const { exitCode } = group
        if (exitCode !== undefined) {
          throw failure(snippet, `ended with ${exitCode ?? 'a signal'}`, group)
        }
        if (late.aborted) throw failure(snippet, 'neither listens nor prints', group)
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

async function isUp({ printed }: Group, listensOn: readonly number[]): Promise<boolean> {
  if (listensOn.length === 0) return printed.all !== ''
  return (await Promise.all(listensOn.map(answers))).every(Boolean)
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
