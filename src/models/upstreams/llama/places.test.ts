import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { makeTemporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import {
  ENGINE,
  engineDirectory,
  enginePlatformPackage,
  findEngine,
  listModelFiles,
  modelsDirectory,
} from './places.ts'

test('of several model files the one changed last is used, then the first by name', (t) => {
  const dataDir = makeTemporaryDirectory(t)
  assert.deepEqual(listModelFiles(dataDir), [])
  mkdirSync(join(modelsDirectory(dataDir), 'folder.gguf'), { recursive: true })
  const write = (name: string, changedAt: number): void => {
    const path = join(modelsDirectory(dataDir), name)
    writeFileSync(path, 'GGUF')
    utimesSync(path, changedAt, changedAt)
  }
  write('old.gguf', 1_000)
  write('b.gguf', 2_000)
  write('a.gguf', 2_000)
  write('unfinished.gguf.part', 3_000)
  write('big-00002-of-00002.gguf', 3_000)
  write('big-00001-of-00002.gguf', 500)
  const files = listModelFiles(dataDir)
  assert.deepEqual(
    files.map(({ path }) => basename(path)),
    ['a.gguf', 'b.gguf', 'old.gguf', 'big-00001-of-00002.gguf'],
  )
  assert.deepEqual(files[0], {
    path: join(modelsDirectory(dataDir), 'a.gguf'),
    sizeBytes: 4,
    changedAtMs: 2_000_000,
  })
})

test('the engine of the data directory is found, and none where there is none', (t) => {
  const dataDir = makeTemporaryDirectory(t)
  assert.equal(findEngine(dataDir), undefined)
  const dist = join(engineDirectory(dataDir), 'node_modules', ENGINE.package, 'dist')
  mkdirSync(dist, { recursive: true })
  assert.equal(findEngine(dataDir), undefined)
  writeFileSync(join(dist, 'index.js'), '')
  assert.equal(findEngine(dataDir), pathToFileURL(join(dist, 'index.js')).href)
})

test('each system has the build that runs on its processor alone', () => {
  assert.equal(enginePlatformPackage('linux', 'x64'), '@node-llama-cpp/linux-x64')
  assert.equal(enginePlatformPackage('linux', 'arm64'), '@node-llama-cpp/linux-arm64')
  assert.equal(enginePlatformPackage('aix', 'ppc64'), undefined)
})
