import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import manifest from '../../../../package.json' with { type: 'json' }

/** What runs model files: an optional package, which a plain installation does not carry. */
export const ENGINE = {
  package: 'node-llama-cpp',
  version: manifest.peerDependencies['node-llama-cpp'],
} as const

/** A model file of the data directory. */
export interface ModelFile {
  readonly path: string
  readonly sizeBytes: number
  readonly changedAtMs: number
}

/** The engine's build for this system that runs on its processor alone, by the engine's own names. */
export function enginePlatformPackage(
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): string | undefined {
  return PLATFORM_PACKAGES[`${platform} ${arch}`]
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': '@node-llama-cpp/linux-x64',
  'linux arm64': '@node-llama-cpp/linux-arm64',
  'linux arm': '@node-llama-cpp/linux-armv7l',
  'linux riscv64': '@node-llama-cpp/linux-riscv64',
  'darwin x64': '@node-llama-cpp/mac-x64',
  // Macs of this kind have but one build, which also runs on their graphics processor.
  'darwin arm64': '@node-llama-cpp/mac-arm64-metal',
  'win32 x64': '@node-llama-cpp/win-x64',
  'win32 arm64': '@node-llama-cpp/win-arm64',
}

/** Where `parley model install` puts the engine: a folder with its own node_modules. */
export function engineDirectory(dataDir: string): string {
  return join(dataDir, 'engine')
}

/** Where model files are looked for. */
export function modelsDirectory(dataDir: string): string {
  return join(dataDir, 'models')
}

/** The URL of the engine's entry: the app's own package where there is one, else the data directory's. */
export function findEngine(dataDir: string): string | undefined {
  try {
    const url = new URL(import.meta.resolve(ENGINE.package))
    if (existsSync(url)) return url.href
  } catch {
    // Not installed beside the app.
  }
  const entry = join(engineDirectory(dataDir), 'node_modules', ENGINE.package, 'dist', 'index.js')
  return existsSync(entry) ? pathToFileURL(entry).href : undefined
}

/**
 * The GGUF files in the data directory's `models/`, the one changed last first, of files changed at the
 * same moment the first by name. The first of the list is the one that is used. Of a model in several
 * files only the first part is listed: the engine finds the others. Never throws for want of a folder.
 */
export function listModelFiles(dataDir: string): ModelFile[] {
  return readNames(modelsDirectory(dataDir))
    .filter((name) => name.endsWith('.gguf') && !isLaterPart(name))
    .flatMap((name) => readModelFile(join(modelsDirectory(dataDir), name)) ?? [])
    .toSorted((a, b) => b.changedAtMs - a.changedAtMs || (a.path < b.path ? -1 : 1))
}

/** A model file by its path; undefined where there is no such file. */
export function readModelFile(path: string): ModelFile | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) return undefined
  return { path, sizeBytes: stat.size, changedAtMs: stat.mtimeMs }
}

function isLaterPart(name: string): boolean {
  const part = /-(\d{5})-of-\d{5}\.gguf$/.exec(name)?.[1]
  return part !== undefined && part !== '00001'
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Where the data directory itself is none, whoever opens it says so.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
