import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** What of the repository a page finds beside it, besides what it installs. */
const LINKED = ['src', 'client', 'openapi.json']

/**
 * A directory in which a page's commands work as they do in the repository, and leave nothing in it:
 * `npm start`, `npx parley`, `node chat.ts` and what that imports.
 */
export function makePlace(directory: string): void {
  const modules = join(root, 'node_modules')
  const links = join(directory, 'node_modules')
  mkdirSync(join(links, '.bin'), { recursive: true })
  for (const name of readdirSync(modules)) {
    if (!name.startsWith('.')) symlinkSync(realpathSync(join(modules, name)), join(links, name))
  }
  for (const name of readdirSync(join(modules, '.bin'))) {
    symlinkSync(realpathSync(join(modules, '.bin', name)), join(links, '.bin', name))
  }
  const parley = join(root, 'src/cli/parley.ts')
  if (!existsSync(join(links, '.bin/parley'))) symlinkSync(parley, join(links, '.bin/parley'))
  for (const name of LINKED) symlinkSync(join(root, name), join(directory, name))
  const scripts = { start: 'node src/main.ts', parley: 'node src/cli/parley.ts' }
  writeFileSync(
    join(directory, 'package.json'),
    `${JSON.stringify({ name: 'page', private: true, type: 'module', scripts }, null, 2)}\n`,
  )
}
