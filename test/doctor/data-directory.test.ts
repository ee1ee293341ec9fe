import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSqliteStore } from '#platform/store/index.ts'
import { judgeSyncs, checkDisk } from '../../src/doctor/checks/check-disk.ts'
import { checkDataDirectory, judgeSpace } from '../../src/doctor/checks/check-data-directory.ts'
import { findHolder } from '../../src/doctor/find-lock-holder.ts'
import { startChild } from '../support/child.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { makePatient, tell } from './patient.ts'

async function lookAt(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return tell(await checkDataDirectory(makePatient({ env: { PARLEY_DATA_DIR: dataDir, ...env } })))
}

function makeDirectory(t: TestContext): string {
  return makeTemporaryDirectory(t)
}

test('a directory that is not there yet is news, and one that is a file is a problem', async (t) => {
  const directory = makeDirectory(t)
  assert.match(await lookAt(join(directory, 'new')), /^note: .*new is not there yet/)
  const file = join(directory, 'file')
  writeFileSync(file, '')
  assert.match(await lookAt(file), /^problem: .*file is no directory\. → Set PARLEY_DATA_DIR/)
})

test('one that is as the service made it has nothing wrong, and it is known who has it', async (t) => {
  const directory = join(makeDirectory(t), 'data')
  const store = await openSqliteStore(directory)
  t.after(() => store.close())
  const told = await lookAt(directory)
  assert.doesNotMatch(told, /^problem/m)
  assert.match(told, /ok: .* can be written to/)
  assert.match(told, /: [\d,]+ [MG]iB free \(\d+ %\)/)
  assert.match(told, /ok: No charge waits/)
  const holds = process.platform === 'linux' ? 1 : 0
  const holder = `ok: Process ${process.pid} has it to itself.`
  assert.equal(told.split('\n').filter((line) => line === holder).length, holds)
})

test('secrets that others can read are a problem, unless nobody else may enter', async (t) => {
  const directory = makeDirectory(t)
  writeFileSync(join(directory, 'secret'), 'x', { mode: 0o644 })
  writeFileSync(join(directory, 'operator-token'), 'x', { mode: 0o600 })
  chmodSync(join(directory, 'secret'), 0o644)
  chmodSync(directory, 0o755)
  assert.match(
    await lookAt(directory),
    /problem: Other users of this machine can read secret\. → chmod -R go= /,
  )
  chmodSync(directory, 0o700)
  assert.doesNotMatch(await lookAt(directory), /Other users/)
})

test('a directory that the user may not write to is a problem', async (t) => {
  const directory = makeDirectory(t)
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir, { mode: 0o555 })
  chmodSync(directory, 0o755)
  // Root may write everywhere: then it is somebody else who asks.
  const within = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
  const child = startChild('src/cli/parley.ts', ['doctor', '--json'], {
    env: {
      PARLEY_DATA_DIR: dataDir,
      PARLEY_CONFIG: '/dev/null',
      OLLAMA_HOST: 'http://127.0.0.1:1',
    },
    within,
  })
  assert.equal(await child.ended, 1, child.stderr)
  assert.match(child.stdout, /data cannot be written to by user \d+/)
})

test('charges that wait are a warning, and lines that are none a problem', async (t) => {
  const directory = makeDirectory(t)
  writeFileSync(join(directory, 'spill.jsonl'), '{"requestId":"a"}\n{"requestId":"b"}\n')
  const waiting = await lookAt(directory)
  assert.match(waiting, /warning: 2 charges in spill\.jsonl, to be booked/)
  assert.doesNotMatch(waiting, /no charges/)
  writeFileSync(join(directory, 'spill.jsonl'), '{"requestId":"a"}\nnonsense\n')
  assert.match(await lookAt(directory), /problem: 1 lines? .*2 of spill\.jsonl/)
})

test('the mark of a store that was moved is a problem, where no database is set', async (t) => {
  const directory = makeDirectory(t)
  writeFileSync(join(directory, 'MOVED'), 'moved\n')
  assert.match(await lookAt(directory), /problem: The store in it was moved/)
  const env = { DATABASE_URL: 'postgres://localhost/parley' }
  assert.doesNotMatch(await lookAt(directory, env), /was moved/)
})

test('little room is told before it is too late', () => {
  const levels = [100, 1_000, 10_000].map((mib) => judgeSpace(mib, 'free', 'make room').level)
  assert.deepEqual(levels, ['problem', 'warning', 'ok'])
})

test('the disk is measured by real writes, of which nothing is left', async (t) => {
  const directory = makeDirectory(t)
  const patient = makePatient({ env: { PARLEY_DATA_DIR: directory } })
  assert.match(tell(await checkDisk(patient)), /\d+ writes were on the disk after [\d.]+ ms each/)
  assert.deepEqual(readdirSync(directory), [])
  const absent = makePatient({ env: { PARLEY_DATA_DIR: join(directory, 'absent') } })
  assert.deepEqual(await checkDisk(absent), [])
})

test('a disk is slow by its median, or by its worst', () => {
  const of = (median: number, worst: number) => [
    ...Array<number>(97).fill(median),
    worst,
    worst,
    worst,
  ]
  assert.equal(judgeSyncs(of(1, 20)).level, 'ok')
  assert.equal(judgeSyncs(of(30, 40)).level, 'warning')
  assert.equal(judgeSyncs(of(1, 500)).level, 'warning')
  assert.match(
    judgeSyncs(of(2, 7)).found,
    /2\.00 ms each \(median\), 7\.00 ms .* about 500 commits/,
  )
})

test('the holder of a lock is read as the kernel lists it', () => {
  const locks = [
    '1: POSIX  ADVISORY  READ  11 08:01:500 0 EOF',
    '1: -> POSIX  ADVISORY  WRITE 12 08:01:500 0 EOF',
    '2: FLOCK  ADVISORY  WRITE 13 08:01:500 0 EOF',
    '3: POSIX  ADVISORY  WRITE 14 08:01:500 1073741825 1073741825',
  ].join('\n')
  assert.equal(findHolder(locks, 500), 14)
  assert.equal(findHolder(locks, 501), undefined)
})
