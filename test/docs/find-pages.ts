import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './make-place.ts'
import { readSnippets } from './read-snippets.ts'
import type { Page } from './run-page.ts'

/** The paths of the guides from the root, sorted. */
export function findGuides(): { readonly english: string[]; readonly portuguese: string[] } {
  const paths = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/decisions/**'] }).toSorted()
  const isPortuguese = (path: string): boolean => path.startsWith('docs/pt/')
  return {
    english: paths.filter((path) => !isPortuguese(path)),
    portuguese: paths.filter(isPortuguese),
  }
}

/** What is run: the guides in English, and the two READMEs that are one too. */
export function findPages(): string[] {
  return ['README.md', 'client/README.md', ...findGuides().english]
}

export function readPage(path: string): Page {
  const markdown = readFileSync(join(root, path), 'utf8')
  try {
    return { path, snippets: readSnippets(markdown) }
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause })
  }
}
