import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** Its address, with a hash of what is in it: what is there never changes. */
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
}

/** By subject; sent as one file, in this order: the later ones overrule the earlier ones. */
const STYLES = ['palette', 'base', 'frame', 'texts', 'forms', 'account'].map(
  (name) => `styles/${name}.css`,
)

/** What the pages load: a few small files of our own, and nothing from anywhere else. */
export const ASSETS = {
  style: readAsset('pages.css', 'text/css; charset=utf-8', STYLES),
  paper: readAsset('paper.css', 'text/css; charset=utf-8'),
  script: readAsset('pages.js', 'text/javascript; charset=utf-8'),
  icon: readAsset('icon.svg', 'image/svg+xml'),
}

export function findAsset(path: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.path === path)
}

function readAsset(file: string, type: string, parts: readonly string[] = [file]): Asset {
  const read = (part: string): Buffer => readFileSync(new URL(`assets/${part}`, import.meta.url))
  const bytes = Buffer.concat(parts.map(read))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { path: `/assets/${file.replace('.', `.${hash}.`)}`, type, bytes }
}
