import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What `npm ci` builds of docs/ and site/. */
const BUILT = fileURLToPath(new URL('../../../site/dist/', import.meta.url))
/** Where the version policy is: every reply's `Link` header points to it, built or not. */
const VERSIONING = fileURLToPath(new URL('../../../docs/versioning.md', import.meta.url))

/** What stands for this service's own address in what was built. */
const ORIGIN = '{{origin}}'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Scalar writes its styles into the page as it runs, so the reference has a policy of its own: inline
 * styles, and still nothing from anywhere else, no inline script and no eval.
 */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The documentation: a page for each file that was built, and the files that pages load. */
export function registerDocsPages(server: FastifyInstance, origin: string): void {
  if (!existsSync(`${BUILT}pages`)) return registerVersioning(server)
  for (const file of globSync('**/*.{html,md,txt}', { cwd: `${BUILT}pages` })) {
    const address = `/${file.replace(/\.html$/, '')}`
    server.get(address, createSender(file, origin))
    // Typed by hand, with a slash too many.
    if (address === `/${file}`) continue
    server.get(`${address}/`, (_request, reply) => reply.redirect(address, 308))
  }
  const files = { wildcard: false, index: false, decorateReply: false } as const
  void server.register(fastifyStatic, {
    ...files,
    root: `${BUILT}assets`,
    prefix: '/docs/assets/',
    // What is compressed comes by its own name, to who takes it so.
    globIgnore: ['**/*.{br,gz}'],
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  })
  for (const name of ['images', 'files']) {
    const [root, prefix] = [BUILT + name, `/docs/${name}/`]
    void server.register(fastifyStatic, { ...files, root, prefix, maxAge: '1h' })
  }
}

/** Where people read, so who mistypes an address there reads a page; programs ask for .md and assets. */
export function isBelowDocs(path: string): boolean {
  return /^\/docs(\/|$)/.test(path) && !/\.\w+$/.test(path)
}

/** Reads the page when it is first asked for, and keeps it. */
function createSender(file: string, origin: string) {
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? ''
  let page: { readonly text: string; readonly etag: string } | undefined
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    page ??= readPage(file, origin)
    const { text, etag } = page
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (file === 'docs/api.html') reply.header('content-security-policy', REFERENCE_POLICY)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(type).send(text)
  }
}

function readPage(file: string, origin: string) {
  const text = readFileSync(`${BUILT}pages/${file}`, 'utf8').replaceAll(ORIGIN, origin)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** An install without what builds the documentation still says what its versions mean. */
function registerVersioning(server: FastifyInstance): void {
  const text = readFileSync(VERSIONING, 'utf8')
  server.get('/docs/versioning', (_request, reply) => reply.type(TYPES['md'] ?? '').send(text))
}
