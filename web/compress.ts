import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const QUALITY = constants.BROTLI_PARAM_QUALITY
/** The best takes seconds for a large file, and gains a few hundredths. */
const LARGE = 1_000_000

/** Puts each file of a folder beside itself once more, compressed in the two ways that browsers take. */
export function compress(directory: string): void {
  for (const path of globSync(`${directory}/*.{js,css,svg,json}`)) {
    const bytes = readFileSync(path)
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [QUALITY]: chooseQuality(bytes) } }),
    )
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

function chooseQuality(bytes: Buffer): number {
  return bytes.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY
}
