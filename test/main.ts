import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * What `npm test` runs: all tests, or the files that are named after it. What begins with a dash is
 * handed on to Node's test runner.
 */
const ALL = ['{src,test,web,site}/**/*.test.ts', 'lint/*.test.ts']
/** Each file is a process that loads the same code: kept compiled, that is half a second less for each. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
/** Longer than any file takes on a slow machine. */
const TIMEOUT_MS = 300_000

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const files = args.filter((arg) => !arg.startsWith('-'))
/** Node's own default would be one on two cores, which leaves one of them idle. */
const concurrency = Math.max(2, availableParallelism() - 1)

const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-timeout=${TIMEOUT_MS}`,
    `--test-concurrency=${concurrency}`,
    ...options,
    ...(files.length > 0 ? files : ALL),
  ],
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: COMPILED, ...process.env } },
)
process.exitCode = status ?? 1
