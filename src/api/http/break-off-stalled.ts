import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Looks so often within the time-out: a stall lasts at most this part longer than it may. */
const LOOKS = 8

/**
 * The handle under a socket. Node's own time-outs look at its queue as well, but they start again
 * with each byte that comes in, and so with a client that sends but does not read.
 */
type HandledSocket = Socket & {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null
}

/**
 * Hangs up on clients that take nothing of what is there for them for so long. Back-pressure bounds
 * what such a client makes us hold; this bounds for how long, its upstream and its money included.
 */
export function breakOffStalled(server: Server, stallTimeoutMs: number): void {
  const open = new Set<Socket>()
  const stalls = new WeakMap<Socket, { readonly takenBytes: number; readonly sinceMs: number }>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  function look(socket: Socket): void {
    const takenBytes = countTaken(socket)
    if (takenBytes === undefined) return void stalls.delete(socket)
    const stall = stalls.get(socket)
    if (stall?.takenBytes !== takenBytes) {
      stalls.set(socket, { takenBytes, sinceMs: performance.now() })
    } else if (performance.now() - stall.sinceMs >= stallTimeoutMs) {
      socket.destroy()
    }
  }

  function lookAtAll(): void {
    for (const socket of open) look(socket)
  }

  const timer = setInterval(lookAtAll, stallTimeoutMs / LOOKS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** What the network has taken of what was written; undefined where nothing waits to be taken. */
function countTaken(socket: HandledSocket): number | undefined {
  const { _handle: handle, writableLength } = socket
  if (!handle || writableLength === 0) return undefined
  return handle.bytesWritten - handle.writeQueueSize
}
