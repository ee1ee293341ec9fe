import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild, type Child } from '../support/child.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import type { Scope } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FILE = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm

/** The files of a guide, as its reader has them, in a directory of their own. */
export interface TakenFiles {
  readonly directory: string
  add(name: string, text: string): void
  /** The address by which a test imports one of them. */
  addressOf(name: string): string
  run(name: string, env?: Readonly<Record<string, string>>): Child
}

/** Takes them out of `docs/<page>.md`, with the addresses of this machine in place of those of the guide. */
export function takeFiles(
  scope: Scope,
  page: string,
  addresses: Readonly<Record<string, string>>,
): TakenFiles {
  const directory = makeTemporaryDirectory(scope)
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const add = (name: string, text: string): void => writeFileSync(join(directory, name), text)
  add('package.json', '{ "type": "module" }')
  const guide = readFileSync(join(root, 'docs', `${page}.md`), 'utf8')
  const toMachine = (text: string): string =>
    Object.entries(addresses).reduce((so, [there, here]) => so.replaceAll(there, here), text)
  for (const [, name = '', text = ''] of guide.matchAll(FILE)) add(name, toMachine(text))
  return {
    directory,
    add,
    addressOf: (name) => join(directory, name),
    run: (name, env = {}) =>
      startChild(relative(root, join(directory, name)), [], { cwd: directory, env }),
  }
}
