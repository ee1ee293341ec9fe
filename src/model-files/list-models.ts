import { readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ENGINE, listModelFiles, modelsDirectory } from '#models/index.ts'
import { readEngineVersion } from './engine.ts'
import { readGguf, type GgufHeader } from './read-gguf.ts'
import { SUGGESTIONS } from './suggestions.ts'

export interface InstalledModel {
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
  /** Undefined where the file is damaged. */
  readonly header: GgufHeader | undefined
  readonly licence: string | undefined
  /** Whether the next start of the service uses it, for brands without an upstream of their own. */
  readonly isUsed: boolean
}

export interface Inventory {
  readonly engine: { readonly version: string | undefined; readonly wanted: string }
  readonly models: readonly InstalledModel[]
  /** Names of downloads that were broken off. */
  readonly parts: readonly string[]
}

export interface Place {
  readonly dataDir: string
  /** What PARLEY_MODEL says: the file that is used whatever is installed. */
  readonly given: string | undefined
  /** Whether PARLEY_UPSTREAM_URL names a server, which is used in place of any file. */
  readonly hasServer: boolean
}

/** What is installed in a data directory. */
export function listModels({ dataDir, given, hasServer }: Place): Inventory {
  const files = listModelFiles(dataDir)
  const used = given ? resolve(given) : files[0]?.path
  return {
    engine: { version: readEngineVersion(dataDir), wanted: ENGINE.version },
    models: files.map(({ path, sizeBytes }) => {
      const name = basename(path, '.gguf')
      const reading = readGguf(path)
      const header = reading.kind === 'gguf' ? reading.header : undefined
      const known = SUGGESTIONS.find((one) => one.name === name && one.sizeBytes === sizeBytes)
      const licence = known?.licence ?? header?.licence
      return {
        name,
        path,
        sizeBytes,
        header,
        licence,
        isUsed: !hasServer && resolve(path) === used,
      }
    }),
    parts: listParts(dataDir),
  }
}

function listParts(dataDir: string): string[] {
  const suffix = '.gguf.part'
  return readNames(modelsDirectory(dataDir))
    .filter((name) => name.endsWith(suffix))
    .map((name) => basename(name, suffix))
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

export function modelPath(dataDir: string, name: string): string {
  return join(modelsDirectory(dataDir), `${name}.gguf`)
}
