import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followStream, type EventStream, type StreamPlace } from './standing-stream.ts'

type Listener = (event: { readonly data?: unknown }) => void

/** A page whose streams, visibility and waits are in the test's hands. */
function createPlace() {
  const opened: (EventStream & { tell(name: string, data?: string): void; isClosed: boolean })[] =
    []
  const waits: { run: () => void; afterMs: number; isOver: boolean }[] = []
  const listeners = new Set<() => void>()
  let isWatched = true
  const place: StreamPlace = {
    open() {
      const told = new Map<string, Listener>()
      const stream = {
        isClosed: false,
        addEventListener: (name: string, listener: Listener) => void told.set(name, listener),
        close() {
          stream.isClosed = true
        },
        tell: (name: string, data?: string) => told.get(name)?.({ data }),
      }
      opened.push(stream)
      return stream
    },
    isWatched: () => isWatched,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    later(run, afterMs) {
      const wait = { run, afterMs, isOver: false }
      waits.push(wait)
      return () => {
        wait.isOver = true
      }
    },
  }
  return {
    place,
    opened,
    waits,
    last: () => opened.at(-1)!,
    listeners,
    watch(next: boolean) {
      isWatched = next
      for (const listener of listeners) listener()
    },
  }
}

function follow(place: StreamPlace) {
  const heard: string[] = []
  const end = followStream(
    '/events',
    {
      opened: (isAnew) => heard.push(isAnew ? 'opened anew' : 'opened'),
      cut: () => heard.push('cut'),
      standing: (text) => heard.push(text),
      signedOut: () => heard.push('signed out'),
    },
    place,
  )
  return { heard, end }
}

test('a stream is followed only while somebody looks', () => {
  const { place, opened, watch, last } = createPlace()
  watch(false)
  const { heard, end } = follow(place)
  assert.equal(opened.length, 0)
  watch(true)
  last().tell('open')
  last().tell('standing', '{"one":1}')
  watch(false)
  assert.ok(last().isClosed)
  last().tell('standing', 'of a stream that is closed')
  watch(true)
  watch(true)
  assert.equal(opened.length, 2)
  last().tell('open')
  end()
  assert.ok(last().isClosed)
  watch(true)
  assert.equal(opened.length, 2)
  assert.deepEqual(heard, ['opened anew', '{"one":1}', 'cut', 'opened anew', 'cut'])
})

test('what was missed before the first stream opened is missed too', () => {
  const { place, watch, last } = createPlace()
  const { heard } = follow(place)
  watch(false)
  watch(true)
  last().tell('open')
  last().tell('error')
  assert.deepEqual(heard, ['cut', 'opened anew', 'cut'])
})

test('a stream that is cut is tried again, less and less often, until it opens', () => {
  const { place, opened, waits, last } = createPlace()
  const { heard } = follow(place)
  for (let time = 0; time < 8; time += 1) {
    last().tell('error')
    assert.ok(last().isClosed)
    waits.at(-1)!.run()
  }
  const seconds = waits.map(({ afterMs }) => afterMs / 1_000)
  assert.deepEqual(seconds, [1, 2, 4, 8, 16, 32, 60, 60])
  last().tell('open')
  last().tell('error')
  assert.equal(waits.at(-1)!.afterMs, 1_000)
  assert.equal(opened.length, 9)
  assert.deepEqual(heard.slice(-2), ['opened anew', 'cut'])
})

test('whoever comes back waits for nothing, and opens one stream', () => {
  const { place, opened, waits, watch, last } = createPlace()
  follow(place)
  last().tell('error')
  watch(true)
  assert.equal(opened.length, 2)
  assert.ok(waits.at(-1)!.isOver)
  waits.at(-1)!.run()
  assert.equal(opened.length, 2)
})

test('a session that is over ends it for good', () => {
  const { place, opened, watch, last, listeners } = createPlace()
  const { heard } = follow(place)
  last().tell('open')
  last().tell('signed_out')
  watch(true)
  assert.equal(opened.length, 1)
  assert.equal(listeners.size, 0)
  assert.deepEqual(heard, ['opened', 'cut', 'signed out'])
})
