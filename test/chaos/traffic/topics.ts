import type { Reply } from '../../support/fake-upstream/index.ts'

const PIECE_BYTES = 16 * 1024
const FLOOD_BYTES = 100 * 1024 * 1024

/** An honest upstream never reports more input than this: far less than any estimate of ours. */
export const HONEST_PROMPT_TOKENS = 5
/** More input than any prompt here is estimated at. */
export const MOST_PROMPT_TOKENS = 50

/**
 * What a client may say to have the fake upstream make a reply of one kind for it alone. Blanks count
 * for few tokens, so much of them passes before a limit is met.
 */
export const TOPICS: Readonly<Record<string, () => Reply>> = {
  'a long reply': () => ({ deltas: Array<string>(1_024).fill(' '.repeat(PIECE_BYTES)) }),
  'a flood of blanks': () => ({
    deltas: Array<string>(FLOOD_BYTES / PIECE_BYTES).fill(' '.repeat(PIECE_BYTES)),
    // Made as it is sent: the fake must not keep what the service must not.
    pauses: [{ at: 'before-head', until: Promise.resolve() }],
  }),
  'a flood of letters': () => ({ fault: { kind: 'huge-reply', sizeBytes: FLOOD_BYTES } }),
  'one endless event': () => ({ fault: { kind: 'huge-delta', sizeBytes: FLOOD_BYTES } }),
}
