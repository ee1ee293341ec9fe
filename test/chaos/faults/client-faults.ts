import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { BRANDS } from '../traffic/attempt.ts'
import { chooseDurationMs, type Fault, type Scene } from './fault.ts'

const VANISHING = 24
const SLOW_SENDERS = 12
const IDLE = 2_000
/** Connected at once; more would meet the kernel's own limit on those not yet accepted. */
const CONNECTING = 200
const BYTE_PAUSE_MS = 1_000

export const clientFaults = {
  'clients-vanish': {
    async inflict(scene) {
      const { random, load } = scene
      const vanish = async (): Promise<void> => {
        await delay(random.between(0, 300))
        await load.ask({
          account: scene.anyAccount(),
          brand: random.pick(BRANDS),
          streamed: random.between(0, 1) === 0,
          maxTokens: random.pick([4, 200]),
          topic: 'Hello',
          patienceMs: random.between(1, 200),
        })
      }
      await Promise.all(Array.from({ length: VANISHING }, vanish))
    },
  },
  'clients-read-slowly': {
    async inflict(scene) {
      await scene.load.ask({
        account: scene.patient,
        brand: 'prime',
        streamed: true,
        maxTokens: 900_000,
        topic: 'a long reply',
        takesBytewise: true,
        patienceMs: 1_200 + chooseDurationMs(scene),
      })
    },
  },
  'clients-send-slowly': {
    async inflict(scene) {
      const sockets = await open(scene, SLOW_SENDERS)
      const senders = sockets.map((socket, index) =>
        trickle(socket, writeRequest(scene), index % 2),
      )
      await delay(1_200 + chooseDurationMs(scene))
      for (const socket of sockets) socket.destroy()
      await Promise.all(senders)
    },
  },
  'clients-idle': {
    async inflict(scene) {
      const sockets: Socket[] = []
      while (sockets.length < IDLE) {
        const more = await open(scene, CONNECTING)
        // A service that is down has no room for idlers either.
        if (more.length === 0) break
        sockets.push(...more)
      }
      await delay(chooseDurationMs(scene))
      for (const socket of sockets) socket.destroy()
    },
  },
} satisfies Record<string, Fault>

/** As many connections as come about. */
async function open({ world, random }: Scene, count: number): Promise<Socket[]> {
  const origins = world.origins()
  if (origins.length === 0) return []
  const opening = Array.from({ length: count }, async () => {
    const { hostname, port } = new URL(random.pick(origins))
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) })
    // That the service goes, or we, is what this is about.
    socket.on('error', () => {})
    return socket
  })
  const opened = await Promise.allSettled(opening)
  return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

interface RawRequest {
  readonly head: string
  readonly body: string
}

function writeRequest(scene: Scene): RawRequest {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 })
  const lines = [
    'POST /v1/chat/air HTTP/1.1',
    'host: parley.test',
    `authorization: Bearer ${scene.anyAccount().key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body }
}

/** A byte a second: of the whole request, or of its body behind a head that came at once. */
async function trickle(
  socket: Socket,
  { head, body }: RawRequest,
  headFirst: number,
): Promise<void> {
  if (headFirst === 1) socket.write(head)
  for (const byte of headFirst === 1 ? body : head + body) {
    if (socket.destroyed) return
    socket.write(byte)
    await Promise.race([delay(BYTE_PAUSE_MS), once(socket, 'close')])
  }
}
