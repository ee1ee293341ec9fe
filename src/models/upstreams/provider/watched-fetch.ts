import { fetch, type Dispatcher } from 'undici'
import type { Fetch } from './load-provider.ts'

/**
 * A fetch of our own for a provider's package: by our connections, which have our bounds, and telling of
 * every byte, so that our deadlines hold. Redirects are not followed: a key is sent nowhere but where it
 * belongs.
 */
export function createWatchedFetch(dispatcher: Dispatcher, onBytes: () => void): Fetch {
  const watched = async (
    input: Parameters<typeof fetch>[0],
    init?: Parameters<typeof fetch>[1],
  ): Promise<Response> => {
    const response = await fetch(input, { ...init, dispatcher, redirect: 'manual' })
    const { status, headers } = response
    const body = response.body?.pipeThrough(watchBytes(onBytes))
    return new Response(body ?? null, { status, headers: [...headers] })
  }
  return watched as unknown as Fetch
}

function watchBytes(onBytes: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(bytes: Uint8Array, controller) {
      onBytes()
      controller.enqueue(bytes)
    },
  })
}
