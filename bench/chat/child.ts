import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { LOAD_CORE, pinTo } from '../machine.ts'

/** A process of the bench beside the service, which answers one message at a time. */
export interface Child {
  ask<Answer>(message: object): Promise<Answer>
  stop(): Promise<void>
}

/** Undefined in an answer's place: it failed, and this is why. */
type Answered = { readonly answer: unknown } | { readonly failure: string }

export function startChild(module: URL, { pin = true } = {}): Child {
  const [command, ...args] = [...(pin ? pinTo(LOAD_CORE) : []), process.execPath]
  const child = fork(module, { execPath: command, execArgv: args })
  const gone = refuseWhenGone(child)
  return {
    async ask<Answer>(message: object) {
      child.send(message)
      const answered = await Promise.race([receive(child), gone])
      if ('failure' in answered) throw new Error(answered.failure)
      return answered.answer as Answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The other side: what the module of a child process answers with. */
export function answerParent(answer: (message: never) => Promise<unknown>): void {
  process.on('message', (message) => {
    answer(message as never).then(
      (result) => process.send?.({ answer: result } satisfies Answered),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Answered),
    )
  })
  // The parent may end in any way: nobody is left to work for.
  process.on('disconnect', () => process.exit())
}

async function receive(child: ChildProcess): Promise<Answered> {
  const [answered] = (await once(child, 'message')) as [Answered]
  return answered
}

async function refuseWhenGone(child: ChildProcess): Promise<Answered> {
  await once(child, 'exit')
  return { failure: 'a process of the bench has ended' }
}
