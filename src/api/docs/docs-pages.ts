import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** Serves the version policy, which every reply's `Link` header points to. */
export function registerDocsPages(server: FastifyInstance): void {
  const page = readFileSync(new URL('../../../docs/versioning.md', import.meta.url), 'utf8')
  server.get('/docs/versioning', (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send(page),
  )
}
