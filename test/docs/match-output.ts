/** What differs from run to run: ids, times, the machine's own. */
const ANYTHING = '…'

/**
 * The first part of what a page says is printed that was not; undefined where all was, in its order, with
 * nothing else before, between or after it but where "…" stands. White space counts as one space, and as
 * nothing in JSON, which a page may lay out as it likes.
 */
export function findMismatch(
  language: string,
  expected: string,
  printed: string,
): string | undefined {
  const squeeze = (text: string): string => text.replaceAll(/\s+/g, language === 'json' ? '' : ' ')
  const actual = squeeze(printed).trim()
  const parts = squeeze(expected)
    .split(ANYTHING)
    .map((part) => part.trim())
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return actual === first ? undefined : first
  if (!actual.startsWith(first)) return first
  let from = first.length
  for (const part of others) {
    const at = actual.indexOf(part, from)
    if (at < 0) return part
    from = at + part.length
  }
  return actual.length - last.length >= from && actual.endsWith(last) ? undefined : last
}
