import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/**
 * Builds the console into web/dist, with each file compressed beside it. `npm ci` runs it; where only
 * what the service runs on is installed there is nothing to build with, and what was built before stays.
 */
async function main(): Promise<void> {
  if (!canBuild()) {
    const state = existsSync(`${import.meta.dirname}/dist/index.html`)
      ? 'the one built before stays'
      : 'there is none: run "npm ci" with development packages first'
    process.stdout.write(`The console is not built without development packages; ${state}.\n`)
    return
  }
  const { build } = await import('vite')
  const configFile = `${import.meta.dirname}/vite.config.ts`
  await build({ configFile, logLevel: 'warn' })
  compress(`${import.meta.dirname}/dist`)
}

function canBuild(): boolean {
  try {
    createRequire(import.meta.url).resolve('@tailwindcss/vite')
    return true
  } catch {
    return false
  }
}

function compress(directory: string): void {
  for (const path of globSync(`${directory}/assets/*.{js,css,svg}`)) {
    const bytes = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(bytes))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

await main()
