const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACE = 0x7b

/**
 * Whether a JSON text has more values than the limit, counted by what opens or parts them. Parsed,
 * 16 MiB of brackets are half a gigabyte and hold up everybody else for two seconds; as much text
 * does neither. So values are counted before anything is made of them.
 */
export function hasTooManyValues(json: Buffer, limit: number): boolean {
  // No value is shorter than a byte: small bodies, nearly all, are not looked at.
  if (json.length <= limit) return false
  let values = 0
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === QUOTE) index = findTextEnd(json, index + 1)
    if (byte !== COMMA && byte !== BRACKET && byte !== BRACE) continue
    values += 1
    if (values > limit) return true
  }
  return false
}

/** So far byte by byte; what is longer is searched by the system, which is much faster, once it is under way. */
const NEAR = 64

/** Where the quote is that ends the text; the end where it has none. */
function findTextEnd(json: Buffer, start: number): number {
  let searchFrom = start + NEAR
  for (let index = start; index < json.length; index += 1) {
    if (index >= searchFrom) {
      index = findNextQuote(json, index)
      searchFrom = index + NEAR
    }
    const byte = json[index]
    if (byte === BACKSLASH) index += 1
    else if (byte === QUOTE) return index
  }
  return json.length
}

/** The next quote within a text, or the backslash that makes it a part of the text. */
function findNextQuote(json: Buffer, from: number): number {
  const quote = json.indexOf(QUOTE, from)
  if (quote < 0) return json.length
  let backslashes = 0
  while (quote - backslashes > from && json[quote - backslashes - 1] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 0 ? quote : quote - 1
}
