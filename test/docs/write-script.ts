import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Snippet } from './read-snippets.ts'

export interface ScriptPlace {
  /** As failures name it. */
  readonly page: string
  /** The page's working directory. */
  readonly work: string
  /** For scripts, outside of it. */
  readonly scratch: string
}

/** The file that has what a page's shell has exported so far, and where it has gone. */
export function beginState({ work, scratch }: ScriptPlace): void {
  writeFileSync(stateOf(scratch), `cd '${work}'\n`)
}

/**
 * A bash script that does what a block says, with the state that the blocks before have left, and keeps
 * its own. Lines are where the page has them, so that what bash and Node complain of can be found there.
 */
export function writeScript(
  { language, line, use }: Snippet,
  text: string,
  { page, work, scratch }: ScriptPlace,
): string {
  const state = stateOf(scratch)
  const above = '\n'.repeat(line - 2)
  let command = text
  if (language !== 'sh') {
    const file = join(work, `.${basename(page)}-${line}.${language}`)
    writeFileSync(file, `\n${above}${text}\n`)
    command = `${language === 'py' ? 'python3' : 'node'} '${file}'`
  }
  const keeps = use.kind === 'run' && language === 'sh'
  const after = keeps ? `export -p >'${state}'; printf 'cd %q\\n' "$PWD" >>'${state}'` : ''
  const script = join(scratch, basename(page))
  writeFileSync(script, `. '${state}'; set -euo pipefail\n${above}${command}\n${after}\n`)
  return script
}

function stateOf(scratch: string): string {
  return join(scratch, 'state.sh')
}
