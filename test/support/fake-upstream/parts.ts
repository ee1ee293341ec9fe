import type { Framing, Point } from './reply.ts'
import type { StreamEvent } from './stream-events.ts'

/** Bytes for one write, and the points the reply has come to once they are written. */
export interface Part {
  readonly bytes: Buffer
  readonly reaches: readonly Reached[]
}

export type Reached = Point | 'middle'

const nothing = Buffer.alloc(0)

export const headPart: Part = { bytes: nothing, reaches: ['after-head'] }

export function* frameEvents(events: Iterable<StreamEvent>, framing: Framing): Generator<Part> {
  if (framing.byteOrderMark === true) yield { bytes: Buffer.from('\uFEFF'), reaches: [] }
  for (const event of events) {
    yield {
      bytes: event.kind === 'mark' ? nothing : Buffer.from(frameEvent(event, framing)),
      reaches: event.reaches === undefined ? [] : [event.reaches],
    }
  }
}

function frameEvent(event: StreamEvent, framing: Framing): string {
  const { lineEnding = '\n', comment, extraLines = [], noSpaceAfterData = false } = framing
  const ownLine =
    event.kind === 'comment'
      ? `: ${event.text}`
      : `data:${noSpaceAfterData ? '' : ' '}${event.text}`
  const lines = [...(comment === undefined ? [] : [writeComment(comment)]), ...extraLines, ownLine]
  return lines.join(lineEnding) + lineEnding + lineEnding
}

function writeComment(comment: string): string {
  return comment === '' ? ':' : `: ${comment}`
}

/** Cuts parts at the given offsets of the body; a cut part reaches its points at its last piece. */
export function* splitParts(
  parts: Iterable<Part>,
  offsets: readonly number[] | 'every',
): Generator<Part> {
  let start = 0
  for (const part of parts) {
    const end = start + part.bytes.length
    let from = start
    for (const offset of offsets === 'every' ? countBetween(start, end) : offsets) {
      if (offset <= from || offset >= end) continue
      yield { bytes: part.bytes.subarray(from - start, offset - start), reaches: [] }
      from = offset
    }
    yield { bytes: part.bytes.subarray(from - start), reaches: part.reaches }
    start = end
  }
}

function* countBetween(start: number, end: number): Generator<number> {
  for (let offset = start + 1; offset < end; offset += 1) yield offset
}

/** Joins each `count` parts that have bytes, but never past a point where something happens. */
export function* coalesceParts(
  parts: Iterable<Part>,
  count: number,
  isEventful: (reached: Reached) => boolean,
): Generator<Part> {
  let waiting: Part[] = []
  for (const part of parts) {
    waiting.push(part)
    const filled = waiting.filter(({ bytes }) => bytes.length > 0).length
    if (filled >= count || part.reaches.some((reached) => isEventful(reached))) {
      yield joinParts(waiting)
      waiting = []
    }
  }
  if (waiting.length > 0) yield joinParts(waiting)
}

export function joinParts(parts: readonly Part[]): Part {
  return {
    bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
    reaches: parts.flatMap(({ reaches }) => reaches),
  }
}

/** A whole reply's middle stands for every point behind its head. */
export function isAt(point: Point, reached: Reached): boolean {
  if (reached !== 'middle') return reached === point
  return point !== 'before-head' && point !== 'after-head'
}
