import pg from 'pg'
import { isLoopback } from '#platform/http-url.ts'
import { describeDatabase } from '#platform/postgres-url.ts'
import { CONNECTIONS } from '#platform/store/index.ts'
import { explain } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'
import { judgeDifference } from './judge-difference.ts'
import { judgeMigrations } from './judge-migrations.ts'

const OLDEST = 15
const OF_A_REPLICA = Object.values(CONNECTIONS).reduce((sum, one) => sum + one, 0)

interface PostgresFacts {
  readonly version: string
  readonly major: number
  readonly fsync: string
  readonly synchronous_commit: string
  readonly full_page_writes: string
  readonly max_connections: number
  readonly reserved: number
  readonly used: number
  /** How many of them are those of Parley. */
  readonly ours: number
  readonly in_recovery: boolean
  readonly now_ms: number
  readonly size_mib: number
  readonly ssl: boolean
  readonly encoding: string
  readonly may_create: boolean
  readonly has_migrations: boolean
}

const FACTS = `
  select split_part(current_setting('server_version'), ' ', 1) as version,
    current_setting('server_version_num')::int / 10000 as major,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('max_connections')::int as max_connections,
    current_setting('superuser_reserved_connections')::int as reserved,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
    (select count(*)::int from pg_stat_activity
      where datname = current_database() and application_name like 'parley %'
        and pid <> pg_backend_pid()) as ours,
    pg_is_in_recovery() as in_recovery,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
    (pg_database_size(current_database()) / 1048576)::int as size_mib,
    coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as ssl,
    current_setting('server_encoding') as encoding,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
    to_regclass('kysely_migration') is not null as has_migrations`

/** On one connection of its own, which may only read. */
export async function checkPostgres(patient: Patient, url: string): Promise<Finding[]> {
  const { timeoutMs, clock } = patient
  const client = new pg.Client({
    connectionString: url,
    application_name: 'parley doctor',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    options: '-c default_transaction_read_only=on',
  })
  // A connection that breaks is told by whoever waits for it; nobody else wants to know.
  client.on('error', () => {})
  try {
    await client.connect()
    const askedMs = clock.nowMs()
    const { rows } = await client.query<PostgresFacts>(FACTS)
    const [facts] = rows
    if (facts === undefined) throw new Error('it answered with nothing')
    const oursMs = (askedMs + clock.nowMs()) / 2
    const done = facts.has_migrations ? await readMigrations(client) : undefined
    return [
      ...judgeFacts(facts, url),
      ...judgeMigrations(done),
      ...judgeRights(facts, done),
      judgeDifference(facts.now_ms - oursMs, 'the database'),
    ]
  } catch (error) {
    const place = describeDatabase(url)
    // Where a name has several addresses, the failures of all come as one without a message.
    const why = (error as Error).message || explain(error as Error, timeoutMs).reason
    return [
      problem(
        `PostgreSQL at ${place} cannot be used: ${why}.`,
        'Start it, or correct DATABASE_URL. Without it requests are refused with 503.',
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration')
  return rows.map(({ name }) => name)
}

function judgeFacts(facts: PostgresFacts, url: string): Finding[] {
  const size = `${facts.size_mib.toLocaleString('en')} MiB`
  const found = `PostgreSQL ${facts.version} at ${describeDatabase(url)}, ${size}.`
  const isOld = facts.major < OLDEST
  return [
    isOld ? problem(found, `Parley needs version ${OLDEST} or later: upgrade it.`) : ok(found),
    ...judgeDurability(facts),
    judgeTls(facts, url),
    judgeConnections(facts),
    ...(facts.encoding === 'UTF8'
      ? []
      : [problem(`Its encoding is ${facts.encoding}.`, 'Make a database with encoding UTF8.')]),
    ...(facts.in_recovery
      ? [problem('It is a standby, which takes no writes.', 'Set DATABASE_URL to the primary.')]
      : []),
  ]
}

/** A charge that PostgreSQL says is written must be on a disk: that is what a finished reply relies on. */
function judgeDurability(facts: PostgresFacts): Finding[] {
  const off = (['fsync', 'synchronous_commit', 'full_page_writes'] as const).filter(
    (name) => facts[name] === 'off',
  )
  if (off.length > 0) {
    return [
      problem(
        `${off.join(', ')} off: a power cut can lose charges of replies that ended, or the database.`,
        'Set what is off to on in postgresql.conf, and reload it.',
      ),
    ]
  }
  return [
    ok(`What it says is written is on the disk (synchronous_commit ${facts.synchronous_commit}).`),
  ]
}

function judgeTls({ ssl }: PostgresFacts, url: string): Finding {
  const { hostname } = new URL(url)
  if (ssl) return ok('The connection is encrypted.')
  if (hostname === '' || isLoopback(hostname)) return ok('It is on this machine: no TLS is needed.')
  const advice = 'Add ?sslmode=verify-full to DATABASE_URL; a network of your own may do without.'
  return warning(`The connection to ${hostname} is not encrypted.`, advice)
}

function judgeConnections(facts: PostgresFacts): Finding {
  const { max_connections: most, reserved, used, ours } = facts
  const free = most - reserved - (used - ours)
  const room = free < 0 ? 0 : Math.floor(free / OF_A_REPLICA)
  const rooms = room === 1 ? '1 replica' : `${room} replicas`
  const found = `It allows ${most} connections, ${used} used: room for ${rooms} of ${OF_A_REPLICA}.`
  if (room >= 2) return ok(found)
  const advice =
    'Raise max_connections: during a restart the old and the new process both need theirs.'
  return room < 1 ? problem(found, advice) : warning(found, advice)
}

function judgeRights(
  { may_create: mayCreate }: PostgresFacts,
  done: readonly string[] | undefined,
): Finding[] {
  if (mayCreate) return []
  const found = 'The user of DATABASE_URL may not make tables, and migrations do.'
  const advice = 'grant create on schema public to that user.'
  return [done === undefined ? problem(found, advice) : note(found, advice)]
}
