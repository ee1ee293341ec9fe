/** A list of words as OAuth writes them; none where it is no text. */
export function readWords(value: unknown): string[] {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : []
}
