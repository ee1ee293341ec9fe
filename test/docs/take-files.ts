import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { startChild, type Child } from '../support/child.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import type { Scope } from '../support/service.ts'
import { readPage } from './find-pages.ts'
import { makePlace, root } from './make-place.ts'

/** The files of a guide, as its reader has them, in a directory of their own. */
export interface TakenFiles {
  add(name: string, text: string): void
  /** By which a test imports one of them. */
  pathOf(name: string): string
  run(name: string): Child
}

/** Takes them out of `docs/<page>.md`, with what they are to say here in place of what they say there. */
export function takeFiles(
  scope: Scope,
  page: string,
  changes: Readonly<Record<string, string>> = {},
): TakenFiles {
  const directory = makeTemporaryDirectory(scope)
  makePlace(directory)
  const pathOf = (name: string): string => join(directory, name)
  const change = (text: string): string =>
    Object.entries(changes).reduce((so, [there, here]) => so.replaceAll(there, here), text)
  for (const { file, text } of readPage(`docs/${page}.md`).snippets) {
    if (file !== undefined) writeFileSync(pathOf(file), change(text))
  }
  return {
    add: (name, text) => writeFileSync(pathOf(name), text),
    pathOf,
    run: (name) => startChild(relative(root, pathOf(name)), [], { cwd: directory }),
  }
}
