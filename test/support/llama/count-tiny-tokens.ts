/** Tokens of a text in the tiny model's vocabulary, counted without the engine: pieces, pairs, bytes. */
export function countTinyTokens(text: string): number {
  const pieces =
    text.match(/<\|\w+\|>|<\/?think>|<tool_call>\{"name": "|<\/tool_call>|th|qu/g) ?? []
  const inPieces = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  return pieces.length + Buffer.byteLength(text) - inPieces
}

/** What the tiny model reads where only these two have spoken, as its template has it. */
export function renderTinyPrompt(system: string, user: string): string {
  return (
    `<|im_start|>system\n${system}<|im_end|>\n<|im_start|>user\n${user}<|im_end|>\n` +
    '<|im_start|>assistant\n'
  )
}
