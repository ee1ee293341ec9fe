import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Service } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'

/** A connection seen from both ends. */
export interface Watched {
  /** The client's end. A reset is an end as any other. */
  readonly socket: Socket
  /** Resolves when the service has let go of it, whether the client has noticed or not. */
  readonly letGo: Promise<void>
  readonly isLetGo: () => boolean
}

/** Opens a connection that says and reads nothing of itself. */
export async function openWatched(
  service: Service,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<Watched> {
  const { hostname, port } = new URL(service.origin)
  const accepted = Promise.withResolvers<Socket>()
  const onAccepted = (end: Socket): void => {
    if (end.remotePort === socket.localPort) accepted.resolve(end)
  }
  const { server } = service.app.server
  server.on('connection', onAccepted)
  const socket = connect({ ...options, host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const end = await within(5_000, accepted.promise, 'the service takes the connection')
  server.off('connection', onAccepted)
  const letGo = Promise.withResolvers<void>()
  if (end.closed) letGo.resolve()
  else end.once('close', () => letGo.resolve())
  return { socket, letGo: letGo.promise, isLetGo: () => end.closed }
}

/** A connection of which only the client's end is of interest. */
export async function openSilent(service: Service): Promise<Socket> {
  const { hostname, port } = new URL(service.origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
