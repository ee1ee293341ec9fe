import { createId } from '#platform/ids.ts'
import type { ToolCall } from '../../prompt.ts'
import { objectOf, textOf, type WireToolCall } from './wire-reply.ts'

/** Puts tool calls together from the pieces in which a stream brings them. */
export interface ToolCallAssembly {
  /** Takes one delta's `tool_calls`; returns the text that it added, for counting. */
  add(pieces: unknown): string
  /** The calls, whole, in the order in which they began. */
  finish(): ToolCall[]
}

interface Draft {
  id: string | undefined
  name: string
  arguments: string
}

export function createToolCallAssembly(): ToolCallAssembly {
  const drafts: Draft[] = []
  const byIndex = new Map<number, Draft>()

  /**
   * Whose piece this is: by its id, else by its index, else the last one's. Servers are sloppy here:
   * some give ids only for the first call, some give every call index 0 and no id at all.
   */
  function findDraft(piece: WireToolCall): Draft {
    const id = textOf(piece.id)
    const index = typeof piece.index === 'number' ? piece.index : undefined
    const known =
      id === undefined ? findWithoutId(piece, index) : drafts.find((draft) => draft.id === id)
    if (known) return known
    const draft: Draft = { id, name: '', arguments: '' }
    drafts.push(draft)
    if (index !== undefined) byIndex.set(index, draft)
    return draft
  }

  function findWithoutId(piece: WireToolCall, index: number | undefined): Draft | undefined {
    const draft = index === undefined ? drafts.at(-1) : byIndex.get(index)
    // A name where one stands already is the beginning of another call.
    const begins = textOf(piece.function?.name) !== undefined && draft?.name !== ''
    return begins ? undefined : draft
  }

  return {
    add(pieces) {
      if (!Array.isArray(pieces)) return ''
      let added = ''
      for (const value of pieces) {
        const piece = objectOf<WireToolCall>(value)
        if (piece) added += addPiece(findDraft(piece), piece)
      }
      return added
    },
    finish: () => drafts.map(completeDraft),
  }
}

function addPiece(draft: Draft, piece: WireToolCall): string {
  const name = draft.name === '' ? (textOf(piece.function?.name) ?? '') : ''
  const args = readArguments(piece.function?.arguments)
  draft.name += name
  draft.arguments += args
  return name + args
}

/** Text as the model wrote it; some servers have parsed it already. */
function readArguments(value: unknown): string {
  if (typeof value === 'string') return value
  return objectOf(value) ? JSON.stringify(value) : ''
}

function completeDraft({ id, name, arguments: args }: Draft): ToolCall {
  return { id: id ?? createId('call'), name, arguments: args === '' ? '{}' : args }
}
