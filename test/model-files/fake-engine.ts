import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ENGINE, engineDirectory, enginePlatformPackage } from '../../src/models/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const VERSION = ENGINE.version

/** As far as this room looks: a package of the engine's name in the data directory. */
export function putEngine(dataDir: string, version: string = VERSION): void {
  writePackage(
    join(engineDirectory(dataDir), 'node_modules', ENGINE.package),
    ENGINE.package,
    version,
  )
}

/** A registry that real npm installs the engine's names from, of whatever version is pinned. */
export async function startRegistry(t: {
  after(end: () => void | Promise<void>): void
}): Promise<{ readonly url: string; readonly asked: string[] }> {
  const directory = makeTemporaryDirectory(t)
  const tarballs = new Map(
    [ENGINE.package, enginePlatformPackage() ?? ''].map((name) => [name, pack(directory, name)]),
  )
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    asked.push(path)
    const [name = '', isTarball] = path.split('/-/')
    const tarball = tarballs.get(name)
    if (!tarball) return void response.writeHead(404).end('{}')
    if (isTarball) return void response.end(tarball)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(describe(name, tarball, url)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url, asked }
}

function describe(name: string, tarball: Buffer, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const dist = { tarball: `${url}/${name}/-/x.tgz`, integrity }
  return {
    name,
    'dist-tags': { latest: VERSION },
    versions: { [VERSION]: { name, version: VERSION, dist } },
  }
}

function pack(directory: string, name: string): Buffer {
  const folder = join(directory, name)
  writePackage(join(folder, 'package'), name, VERSION)
  execFileSync('tar', ['-czf', `${folder}.tgz`, '-C', folder, 'package'])
  return readFileSync(`${folder}.tgz`)
}

function writePackage(folder: string, name: string, version: string): void {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  // Would its script run, the installation would fail.
  const scripts = { postinstall: 'exit 1' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, scripts }))
  writeFileSync(join(folder, 'dist', 'index.js'), '')
}
