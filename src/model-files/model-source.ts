import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fetchRange, Passing, refuseUnsafe } from './fetch-range.ts'
import { ModelRefused } from './model-refused.ts'
import { readGguf } from './read-gguf.ts'
import { SUGGESTIONS, type Suggestion } from './suggestions.ts'

/** Where a model comes from, and what is known of it before it is here. */
export type ModelSource = DownloadSource | FileSource

export interface DownloadSource {
  readonly kind: 'download'
  /** What it is called here: its file's name without `.gguf`. */
  readonly name: string
  readonly url: string
  readonly sizeBytes: number | undefined
  /** In hexadecimal. */
  readonly sha256: string | undefined
  /** Who says what its hash is: our own list, the person who installs it, or the hub it comes from. */
  readonly hashFrom: 'list' | 'person' | 'hub' | undefined
  /** Undefined where nobody says. */
  readonly licence: string | undefined
}

export interface FileSource {
  readonly kind: 'file'
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string | undefined
  readonly hashFrom: 'person' | undefined
  readonly licence: string | undefined
}

export interface Wish {
  /** The name of a suggestion, an address, or the path of a file. */
  readonly wanted: string
  /** The address of the hub, or of a mirror of it. */
  readonly hub: string
  /** What the person says that the file's hash is. */
  readonly sha256: string | undefined
  readonly signal: AbortSignal
}

export const HUB = 'https://huggingface.co'

/** How long the hub may take to say what it has. */
const LOOK_MS = 20_000

/** Throws a ModelRefused where nothing that could be installed is meant. */
export async function findSource(wish: Wish): Promise<ModelSource> {
  const { wanted, sha256 } = wish
  const suggestion = SUGGESTIONS.find(({ name }) => name === wanted.toLowerCase())
  if (suggestion) return fromSuggestion(suggestion, wish)
  if (/^https?:\/\//i.test(wanted)) return fromAddress(wish)
  const path = resolve(wanted)
  if (!existsSync(path)) throw explainUnknown(wanted)
  const stat = statSync(path)
  if (!stat.isFile()) throw new ModelRefused(`${wanted} is no file.`)
  const reading = readGguf(path)
  if (reading.kind === 'refused') throw new ModelRefused(`${wanted}: ${reading.reason}.`)
  return {
    kind: 'file',
    name: nameOf(basename(path)),
    path,
    sizeBytes: stat.size,
    sha256,
    hashFrom: sha256 === undefined ? undefined : 'person',
    licence: reading.header.licence,
  }
}

function fromSuggestion(suggestion: Suggestion, { hub, sha256 }: Wish): DownloadSource {
  const { name, repository, revision, file, sizeBytes, licence } = suggestion
  const url = `${hub.replace(/\/+$/, '')}/${repository}/resolve/${revision}/${file}`
  refuseUnsafe(url, 'The hub is')
  return {
    kind: 'download',
    name,
    url,
    sizeBytes,
    sha256: sha256 ?? suggestion.sha256,
    hashFrom: sha256 === undefined ? 'list' : 'person',
    licence,
  }
}

async function fromAddress({ wanted, sha256, signal }: Wish): Promise<DownloadSource> {
  const url = new URL(wanted)
  if (url.username !== '' || url.password !== '') {
    throw new ModelRefused('An address with a password in it is not loaded from.')
  }
  url.hash = ''
  refuseUnsafe(url.href, 'The address is')
  const name = nameOf(decodeURIComponent(basename(url.pathname)))
  const look = await lookAt(url.href, signal)
  const hashed = sha256 ?? look?.sha256
  const whose = sha256 === undefined ? 'hub' : 'person'
  return {
    kind: 'download',
    name,
    url: url.href,
    sizeBytes: look?.sizeBytes,
    sha256: hashed,
    hashFrom: hashed === undefined ? undefined : whose,
    licence: undefined,
  }
}

/** Size and hash, where the server tells them; one that does not answer this may give the file all the same. */
async function lookAt(url: string, signal: AbortSignal) {
  try {
    const looking = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
    const asked = { url, method: 'HEAD', from: 0, etag: undefined } as const
    return await fetchRange({ ...asked, signal: looking })
  } catch (error) {
    signal.throwIfAborted()
    const isSlow = error instanceof Error && error.name === 'TimeoutError'
    if (error instanceof Passing || isSlow) return undefined
    throw error
  }
}

function nameOf(file: string): string {
  const name = /^([\w][\w.+-]*)\.gguf$/.exec(file)?.[1]
  if (name === undefined) {
    throw new ModelRefused(
      `${JSON.stringify(file)} is no name of a model file: that has letters, digits, ".", "-", "_" and ends in ".gguf".`,
    )
  }
  if (/-\d{5}-of-\d{5}$/.test(name)) {
    throw new ModelRefused(
      `${file} is one part of a model in several. Put all parts into the folder models/ of the data directory.`,
    )
  }
  return name
}

function explainUnknown(wanted: string): ModelRefused {
  const names = SUGGESTIONS.map(({ name }) => name).join(', ')
  return new ModelRefused(
    `There is no suggestion and no file ${JSON.stringify(wanted)}. The suggestions are ${names}; any other GGUF ` +
      'file is installed by its https:// address or its path.',
  )
}
