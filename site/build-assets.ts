import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { build } from 'vite'
import { compress } from '../web/compress.ts'
import type { Assets } from './assets.ts'
import type { SearchEntry } from './render-search-page.ts'
import { LANGUAGES, type Language } from './words.ts'

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
}

const HERE = import.meta.dirname
export const DIST = `${HERE}/dist`
/** Where the service serves them. */
const PREFIX = '/docs/assets/'

/** Builds all that pages load into dist/assets, compressed beside it. Begins with an empty dist. */
export async function buildAssets(
  entries: Readonly<Record<Language, readonly SearchEntry[]>>,
): Promise<Assets> {
  const chunks = await bundle()
  const [style = ''] = chunks['assets/docs.ts']?.css ?? []
  const [referenceStyle = ''] = chunks['assets/reference.ts']?.css ?? []
  const search = LANGUAGES.map(
    (one) => [one, keep(`search.${one}.json`, JSON.stringify(entries[one]))] as const,
  )
  const assets = {
    style: toAddress(style),
    script: toAddress(chunks['assets/docs.ts']?.file ?? ''),
    reference: toAddress(chunks['assets/reference.ts']?.file ?? ''),
    referenceStyle: toAddress(referenceStyle),
    icon: keep('icon.svg', readFileSync(`${HERE}/../web/src/icon.svg`, 'utf8')),
    scalar: keep('scalar.js', await readScalar()),
    search: Object.fromEntries(search) as Record<Language, string>,
  }
  compress(`${DIST}/assets`)
  return assets
}

async function bundle(): Promise<Readonly<Record<string, Chunk>>> {
  await build({
    configFile: false,
    root: HERE,
    base: '/docs/',
    logLevel: 'warn',
    build: {
      manifest: true,
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { input: [`${HERE}/assets/docs.ts`, `${HERE}/assets/reference.ts`] },
    },
  })
  const manifest = readFileSync(`${DIST}/.vite/manifest.json`, 'utf8')
  return JSON.parse(manifest) as Readonly<Record<string, Chunk>>
}

/** Its package serves the file by a plugin of a server; here the plugin is asked for it once. */
async function readScalar(): Promise<string> {
  const server = fastify()
  await server.register(scalar, { routePrefix: '/', configuration: { url: '/v1/openapi.json' } })
  const { body, statusCode } = await server.inject('/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the file of Scalar was answered with ${statusCode}`)
  return body
}

function keep(name: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  const file = name.replace(/\.(?=\w+$)/, `-${hash}.`)
  mkdirSync(`${DIST}/assets`, { recursive: true })
  writeFileSync(`${DIST}/assets/${file}`, text)
  return PREFIX + file
}

/** "assets/docs-….js" */
function toAddress(file: string): string {
  return `/docs/${file}`
}
