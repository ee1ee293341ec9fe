import { existsSync } from 'node:fs'
import { createContract } from '#api/contract/index.ts'
import { findBreakingChanges } from './find-breaking-changes.ts'
import { JUDGED } from './judged.ts'
import { keepPromises } from './keep-promises.ts'
import type { OpenapiDocument } from './openapi-document.ts'
import { readReleased, RELEASED_PATH, writeReleased } from './released.ts'

/** Makes today's contract what later ones are held to; refuses where it breaks what is promised. */
const document: unknown = JSON.parse(
  JSON.stringify(createContract('svc').openapi('http://127.0.0.1:8080')),
)
const current = document as OpenapiDocument
const judged = JUDGED.map(({ line }) => line)
const breaking = existsSync(RELEASED_PATH)
  ? findBreakingChanges(readReleased(), current).filter((line) => !judged.includes(line))
  : []

if (breaking.length > 0) {
  console.error(`Nothing was written. Not within one version:\n${breaking.join('\n')}`)
  process.exitCode = 1
} else {
  writeReleased(keepPromises(current))
  console.log(`The contract of ${current.info.version} is what later ones are held to.`)
}
