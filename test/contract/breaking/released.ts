import { readFileSync, writeFileSync } from 'node:fs'
import type { OpenapiDocument } from './openapi-document.ts'

/** What the last release promised: written by `npm run release:openapi`, never by hand. */
export const RELEASED_PATH = new URL('released-openapi.json', import.meta.url)

export function readReleased(): OpenapiDocument {
  return JSON.parse(readFileSync(RELEASED_PATH, 'utf8')) as OpenapiDocument
}

export function writeReleased(promises: OpenapiDocument): void {
  writeFileSync(RELEASED_PATH, `${JSON.stringify(promises, null, 1)}\n`)
}
