import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { ROOT, type PageSource } from './list-pages.ts'

/** What a file of the repository is on the site, where it is there at all. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'openapi.json': '/v1/openapi.json' }

/**
 * Where a link of a page leads on the site: an address, or undefined for a file of the repository
 * that is not on the site. Throws for what there is not.
 */
export function resolveLink(
  link: string,
  from: PageSource,
  pages: ReadonlyMap<string, PageSource>,
): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(link)) return link
  const [file = '', anchor] = link.split('#', 2)
  const path = join(dirname(from.path), file).replace(/\/$/, '')
  const page = pages.get(path) ?? pages.get(`${path}/README.md`)
  if (page) return anchor === undefined ? page.address : `${page.address}#${anchor}`
  if (path.startsWith('docs/images/')) return `/${path}`
  if (ELSEWHERE[path]) return ELSEWHERE[path]
  if (!existsSync(ROOT + path)) {
    throw new Error(`${from.path}: there is no ${path} (${link})`)
  }
  return undefined
}
