import { request } from 'undici'

const TIMEOUT_MS = 300

/** The model of an Ollama that runs here, if one does: the one changed last. Never throws. */
export async function discoverOllama(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { statusCode, body } = await request(`${url}/api/tags`, { signal })
    const reply = (await body.json()) as { models?: { name?: unknown; modified_at?: unknown }[] }
    if (statusCode !== 200 || !Array.isArray(reply.models)) return undefined
    const latest = reply.models.toSorted((a, b) => compareText(b.modified_at, a.modified_at))[0]
    return typeof latest?.name === 'string' ? latest.name : undefined
  } catch {
    return undefined
  }
}

function compareText(a: unknown, b: unknown): number {
  return String(a).localeCompare(String(b))
}
