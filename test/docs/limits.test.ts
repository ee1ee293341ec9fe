import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TIERS } from '../../src/gate/tiers.ts'
import { readTables } from './read-tables.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['docs/operate/limits.md', 'docs/pt/operate/limits.md']

/**
 * One row of the page: where its bound is set, and the names there of the constants that its figures
 * are, with their file where it is another one. Rows without names are held elsewhere or set by others.
 */
type Row = readonly [where: string, ...names: string[]]

const BOUNDS = 'api/http/bounds.ts'
const STORE = 'platform/store/postgres-store.ts'
const OPERATOR = 'api/operator/authenticate-operator.ts'
const SETTINGS = 'parley.yaml'
const UPSTREAM = 'models/upstreams/openai/openai-upstream.ts'
const LIBRARY = 'better-auth'

/** In the order of the page's rows. */
const ROWS: readonly Row[] = [
  [BOUNDS, 'maxConnections'],
  [BOUNDS, 'headTimeoutMs'],
  [BOUNDS, 'requestTimeoutMs'],
  [BOUNDS, 'idleTimeoutMs'],
  [BOUNDS, 'checkEveryMs'],
  [BOUNDS, 'stallTimeoutMs'],
  ['chat/chat.ts', 'KEEP_ALIVE_MS'],
  [BOUNDS, 'lingerMs'],
  ['api/http/refuse-unreadable.ts', 'FAREWELL_MS'],
  [BOUNDS, 'maxUnanswered'],
  [''],
  [BOUNDS, 'maxHeadBytes', 'maxHeaders'],
  ['api/http/read-json-body.ts', 'MAX_BODY_BYTES'],
  ['api/http/read-json-body.ts', 'MAX_VALUES'],
  [BOUNDS, 'maxHeldBytes', 'maxHeldBytesOfOne'],
  ['api/v1/read-chat-call.ts', 'MAX_DEPTH'],
  ['api/contract/schemas/chat-request.ts'],
  [OPERATOR, 'MAX_FAILURES'],
  [OPERATOR, 'MAX_ADDRESSES'],

  ['identity/people/lock-out.ts', 'FREE_FAILURES', 'FIRST_WAIT_MS', 'LONGEST_WAIT_MS'],
  [LIBRARY],
  [LIBRARY],
  ['identity/people/bound-mails.ts', 'MAX_MAILS'],
  ['platform/mail/smtp-mailer.ts', 'MAX_WAITING'],
  ['platform/mail/smtp-mailer.ts', 'ATTEMPT_TIMEOUT_MS'],
  ['identity/people/describe-passwords.ts', 'LINK_LIFETIME_S'],
  ['identity/people/people.ts', 'MAX_UNDER_WAY'],
  ['identity/people/sign-in-links.ts'],
  ['identity/people/create-auth.ts'],
  ['api/identity/people-routes.ts', 'MAX_BODY_BYTES'],
  [
    'identity/people/clean-request.ts',
    'MAX_NAME_LENGTH',
    'MAX_EMAIL_LENGTH',
    'MIN_PASSWORD_LENGTH',
    'MAX_PASSWORD_LENGTH',
  ],

  ['gate/tiers.ts'],
  ['parley account set ID --ceiling EUR'],
  ['parley key update ID KEY --ceiling …'],
  ['parley key update ID KEY --expires …'],
  ['parley key roll ID KEY --overlap …'],
  [SETTINGS],
  ['chat/chat.ts', 'MAX_UNDER_WAY'],
  ['chat/chat.ts', 'MAX_UNDER_WAY_OF_ONE'],
  ['ledger/ledger.ts', 'MAX_BATCH'],
  ['ledger/ledger.ts', 'PATIENCE_MS'],
  ['ledger/sql/partitions.sql'],
  [STORE],
  [STORE],
  ['gate/batch-admission.ts', 'MAX_BATCH'],
  ['gate/lease.ts', 'RENEW_EVERY_MS'],
  ['PARLEY_DRAIN_MS', 'drain-config.ts:DRAIN_MS'],
  ['payments/open-topup.ts', 'MAX_PER_HOUR'],
  ['accounts/create-own-key.ts', 'MAX_LIVE_KEYS'],
  ['api/console/usage-handlers.ts', 'MAX_DAYS', 'MAX_KEYS'],
  ['ledger/search-receipts.ts', 'MAX_SCANNED'],
  ['api/console/watch-handlers.ts', 'MAX_STREAMS_OF_ONE'],
  ['api/console/standing-streams.ts', 'MAX_WAITING_BYTES'],
  ['api/operator/pages.ts', 'DEFAULT_LIMIT'],
  ['platform/money.ts'],
  ['api/contract/schemas/identity.ts', 'maxItems', 'maxLength'],
  ['identity/keys/change-signing-keys.ts', 'MAX_KEYS'],

  [SETTINGS, `${UPSTREAM}:connectTimeoutMs`],
  [SETTINGS, `${UPSTREAM}:timeoutMs`],
  [SETTINGS, `${UPSTREAM}:idleTimeoutMs`],
  ['models/upstreams/reply-watch.ts', 'MAX_REPLY_MS'],
  [
    'models/upstreams/openai/',
    'models/upstreams/openai/whole-decoder.ts:MAX_BYTES',
    'models/upstreams/openai/stream-decoder.ts:MAX_EVENT_CHARACTERS',
  ],
  [UPSTREAM, 'MAX_CONNECTIONS'],
  ['models/circuit.ts', 'coolDownMs', 'failures', 'windowMs'],
]

const NUMBERS: Readonly<Record<string, number>> = { KIB: 1024, MIB: 1024 * 1024 }

/** The value of a constant or a property that a source sets to a product of numbers. */
function readFigure(where: string, named: string): number {
  const [file = '', name = ''] = named.includes(':') ? named.split(':') : [where, named]
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  const setting = new RegExp(
    `\\b${name}(?: =|:) ((?:[\\d_]+|KIB|MIB)(?: \\* (?:[\\d_]+|KIB|MIB))*)`,
  )
  const product = setting.exec(text)?.[1]
  assert.ok(product !== undefined, `${file} sets no ${name}`)
  return product
    .split(' * ')
    .map((factor) => NUMBERS[factor] ?? Number(factor.replaceAll('_', '')))
    .reduce((all, factor) => all * factor)
}

/** How big each unit is, by what the constants that are written in it end with. */
const UNITS: readonly (readonly [ending: RegExp, units: Readonly<Record<string, number>>])[] = [
  [/(?:Ms|_MS)$/, { ms: 1, s: 1_000, min: 60_000 }],
  [/_S$/, { s: 1, min: 60, h: 3_600 }],
  [/bytes/i, { KiB: 1_024, MiB: 1_024 ** 2 }],
  [/CHARACTERS$/, { Mi: 1_024 ** 2 }],
]

/** The ways in which the page may write a figure: 300000 ms as "300 s" or "5 min". */
function listWritings(name: string, value: number): string[] {
  const units = UNITS.find(([ending]) => ending.test(name))?.[1]
  if (!units) return [writeNumber(value)]
  return Object.entries(units)
    .filter(([, size]) => value % size === 0)
    .map(([unit, size]) => `${writeNumber(value / size)} ${unit}`)
}

/** With a space between thousands, as all pages have it. */
function writeNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ')
}

function holds(cell: string, writing: string): boolean {
  return new RegExp(`(?<!\\d ?)${writing}(?! ?\\d|[A-Za-z])`).test(cell)
}

for (const page of PAGES) {
  const rows = readTables(readFileSync(join(ROOT, page), 'utf8')).flatMap((table) => table.rows)

  test(`${page} says where each bound is set`, () => {
    const told = rows.map((row) => row[2]?.replaceAll('`', ''))
    assert.deepEqual(
      told,
      ROWS.map(([where]) => where),
    )
  })

  test(`${page} states the bounds that are`, () => {
    for (const [index, [where, ...names]] of ROWS.entries()) {
      const [what = '', bound = ''] = rows[index] ?? []
      for (const name of names) {
        const writings = listWritings(name, readFigure(where, name))
        assert.ok(
          writings.some((writing) => holds(bound, writing)),
          `${what}: "${bound}" has none of ${writings.join(', ')} (${name} of ${where})`,
        )
      }
    }
  })

  test(`${page} states what each tier may do`, () => {
    const bound = rows[ROWS.findIndex(([where]) => where === 'gate/tiers.ts')]?.[1]
    const tiers = Object.values(TIERS).map(({ requestsPerMinute, tokensPerMinute }) =>
      [requestsPerMinute, tokensPerMinute].map(writeNumber).join('/'),
    )
    assert.ok(bound?.includes(tiers.join(', ')), bound)
  })
}
