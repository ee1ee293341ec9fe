import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENGINE, engineDirectory, enginePlatformPackage, findEngine } from '#models/index.ts'
import { ModelRefused } from './model-refused.ts'

export type EngineState =
  | { readonly kind: 'installed'; readonly version: string }
  /** `version`: of another one, which is there, and is replaced. */
  | {
      readonly kind: 'missing'
      readonly version: string | undefined
      readonly packages: readonly string[]
    }

export interface EngineInstalling {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** What it takes on the disk, about, with what it needs itself; measured of 3.22.1 on Linux. */
export const ENGINE_BYTES = 90_000_000

/** Of what npm says where it fails. */
const MAX_LINES = 8

/** Throws a ModelRefused where there is no engine for this kind of machine. */
export function findEngineState(dataDir: string): EngineState {
  const version = readEngineVersion(dataDir)
  const isApp = version !== undefined && !isInDataDir(dataDir)
  // What is installed beside the app comes first, whatever is in the data directory.
  if (version !== undefined && (isApp || version === ENGINE.version)) {
    return { kind: 'installed', version }
  }
  const platformPackage = enginePlatformPackage()
  if (platformPackage === undefined) {
    throw new ModelRefused(
      `There is no build of the engine for this kind of machine (${process.platform} ${process.arch}).`,
    )
  }
  const packages = [ENGINE.package, platformPackage].map((name) => `${name}@${ENGINE.version}`)
  return { kind: 'missing', version, packages }
}

export function readEngineVersion(dataDir: string): string | undefined {
  const url = findEngine(dataDir)
  if (url === undefined) return undefined
  try {
    const text = readFileSync(new URL('../package.json', url), 'utf8')
    return (JSON.parse(text) as { readonly version?: string }).version
  } catch {
    return undefined
  }
}

function isInDataDir(dataDir: string): boolean {
  const url = findEngine(dataDir)
  return url !== undefined && fileURLToPath(url).startsWith(engineDirectory(dataDir))
}

/**
 * Puts the engine into the data directory by npm, with the build for this processor alone: with those for graphics
 * cards it is five times as large. It has its place only when it is whole.
 */
export async function installEngine(
  packages: readonly string[],
  { dataDir, env, signal }: EngineInstalling,
): Promise<void> {
  const directory = engineDirectory(dataDir)
  const npm = findNpm(env)
  if (npm === undefined) throw explainNoNpm(directory, packages)
  const partial = `${directory}.part`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  // npm looks for a package from here upwards, and must not find the service's own.
  writeFileSync(join(partial, 'package.json'), '{"private":true}\n')
  const { code, said } = await runNpm(npm, ['install', '--prefix', '.', ...FLAGS, ...packages], {
    cwd: partial,
    env: withoutSecrets(env),
    signal,
  })
  if (code !== 0 || !existsSync(join(partial, 'node_modules', ENGINE.package))) {
    throw new ModelRefused(`npm could not install the engine:\n${said}`)
  }
  rmSync(directory, { recursive: true, force: true })
  renameSync(partial, directory)
}

const FLAGS = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']

function runNpm(
  npm: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<{ code: number | null; said: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null
    said: string
  }>()
  // On Windows npm is a script of the shell's.
  const child = spawn(npm, args, {
    ...options,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter((line) => line.trim() !== ''))
    lines.splice(0, lines.length - MAX_LINES)
  })
  child.once('error', reject)
  child.once('close', (code) =>
    resolve({ code, said: lines.map((line) => `  ${line}`).join('\n') }),
  )
  return promise
}

/** npm has no use for what only the service knows. */
function withoutSecrets(env: EngineInstalling['env']): NodeJS.ProcessEnv {
  const isOurs = (name: string): boolean => /^(PARLEY_|STRIPE_|SMTP_|DATABASE_URL$)/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}

/** On the path, or beside the Node that runs this. */
function findNpm({ PATH = '' }: EngineInstalling['env']): string | undefined {
  const name = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const folders = [...PATH.split(delimiter), dirname(process.execPath)]
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(canRun)
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function explainNoNpm(directory: string, packages: readonly string[]): ModelRefused {
  return new ModelRefused(
    'There is no npm on the path, by which the engine is installed. Install npm, or where there is one:\n\n' +
      `  npm install --prefix ${directory} --omit=optional --ignore-scripts ${packages.join(' ')}\n`,
  )
}
