import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { CONSOLE_SCREENS } from '../contract/index.ts'
import { LOCALES, type Language } from '../identity/pages/languages.ts'
import { keepLanguage, readLanguage } from '../identity/pages/visitor-language.ts'

/** What `npm ci` builds of web/. */
const BUILT = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** The console: one document at the address of each screen, and the hashed files that it loads. */
export function registerConsoleApp(server: FastifyInstance, issuer: string): void {
  const documents = readDocuments()
  for (const screen of CONSOLE_SCREENS) {
    server.get(toRoutePath(screen), (request, reply) => {
      keepLanguage(request, reply, issuer)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language, cookie')
        .send(documents[readLanguage(request)])
    })
  }
  if (!existsSync(`${BUILT}assets`)) return
  void server.register(fastifyStatic, {
    root: `${BUILT}assets`,
    prefix: '/console/assets/',
    // Only what is there has an address.
    wildcard: false,
    // What is compressed comes by its own name, to who takes it so.
    globIgnore: ['**/*.{br,gz}'],
    index: false,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  })
}

/** Where people are, not programs: whoever mistypes an address there reads a page. */
export function isBelowConsole(path: string): boolean {
  return /^\/console(\/|$)/.test(path) && !/^\/console\/(api|assets)(\/|$)/.test(path)
}

function toRoutePath(screen: string): string {
  return screen.replaceAll('$', ':')
}

/** The document says its language, which the console begins in. */
function readDocuments(): Readonly<Record<Language, string>> {
  const built = existsSync(`${BUILT}index.html`)
    ? readFileSync(`${BUILT}index.html`, 'utf8')
    : NOT_BUILT
  const inLanguage = (language: Language): string =>
    built.replace('<html lang="en">', `<html lang="${LOCALES[language]}">`)
  return { en: inLanguage('en'), pt: inLanguage('pt') }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Parley</title>
  </head>
  <body>
    <h1>The console is not built</h1>
    <p>Run <code>npm ci</code> with development packages, or <code>npm run web</code>, then start the service again. <a href="/account">Your account</a> works without it.</p>
  </body>
</html>
`
