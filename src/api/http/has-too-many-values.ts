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
export function hasTooManyValues(json: Uint8Array, limit: number): boolean {
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

/** Where the quote is that ends the text; the end where it has none. */
function findTextEnd(json: Uint8Array, start: number): number {
  for (let index = start; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === BACKSLASH) index += 1
    else if (byte === QUOTE) return index
  }
  return json.length
}
