/** A model's JSON, easy to read; as it is where it is none. */
export function writeArguments(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
