/** What `EventSource` has of use here. */
export interface EventStream {
  addEventListener(name: string, listener: (event: { readonly data?: unknown }) => void): void
  close(): void
}

/** Where a page is: passed in, so that tests need no browser. */
export interface StreamPlace {
  open(url: string): EventStream
  /** Whether somebody looks at the page and the browser has a network. */
  isWatched(): boolean
  /** Calls back whenever that may have changed; the answer ends it. */
  onChange(listener: () => void): () => void
  later(run: () => void, afterMs: number): () => void
}

export interface StreamListener {
  /** The stream is open; `isAnew` when the page was without it, and something may have been missed. */
  opened(isAnew: boolean): void
  cut(): void
  standing(text: string): void
  signedOut(): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * Follows the events of an account for as long as somebody looks: browsers allow a page's origin six
 * connections, over all tabs, and each stream holds one. Ends with the returned function.
 */
export function followStream(
  url: string,
  listener: StreamListener,
  place: StreamPlace = BROWSER,
): () => void {
  let stream: EventStream | undefined
  let stopWaiting: (() => void) | undefined
  let waitMs = FIRST_WAIT_MS
  // A page may be loaded out of sight, or turned away from before its stream is open.
  let hasMissed = !place.isWatched()

  function begin(): void {
    if (stream || !place.isWatched()) return
    stopWaiting?.()
    const opened = place.open(url)
    stream = opened
    for (const [name, react] of Object.entries(reactions)) {
      opened.addEventListener(name, ({ data }) => {
        if (stream === opened) react(String(data))
      })
    }
  }

  const reactions: Readonly<Record<string, (data: string) => void>> = {
    open() {
      waitMs = FIRST_WAIT_MS
      listener.opened(hasMissed)
      hasMissed = false
    },
    standing: listener.standing,
    signed_out() {
      end()
      listener.signedOut()
    },
    // It would try again by itself, but not after a refusal, and not less and less often.
    error() {
      cut()
      stopWaiting = place.later(begin, waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    },
  }

  function cut(): void {
    if (!stream) return
    stream.close()
    stream = undefined
    hasMissed = true
    listener.cut()
  }

  function end(): void {
    stopWatching()
    stopWaiting?.()
    cut()
  }

  const stopWatching = place.onChange(() => (place.isWatched() ? begin() : cut()))
  begin()
  return end
}

const BROWSER: StreamPlace = {
  open: (url) => new EventSource(url),
  isWatched: () => document.visibilityState === 'visible' && navigator.onLine,
  onChange(listener) {
    document.addEventListener('visibilitychange', listener)
    addEventListener('online', listener)
    addEventListener('offline', listener)
    return () => {
      document.removeEventListener('visibilitychange', listener)
      removeEventListener('online', listener)
      removeEventListener('offline', listener)
    }
  },
  later(run, afterMs) {
    const timer = setTimeout(run, afterMs)
    return () => clearTimeout(timer)
  },
}
