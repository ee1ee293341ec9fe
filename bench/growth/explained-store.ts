import { Kysely, PostgresDialect } from 'kysely'
import { createPool } from '#platform/store/postgres-store.ts'
import type { PostgresStore, Statement } from '#platform/store/index.ts'
import { isGrowing } from './counters.ts'

/** A store that tells how the database carried out each statement, those within functions too. */
export interface ExplainedStore {
  readonly store: PostgresStore
  readonly plans: readonly ExplainedStatement[]
}

export interface ExplainedStatement {
  readonly text: string
  /** The tables that grow and were read from one end to the other. */
  readonly scanned: readonly string[]
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** The database's user must be a superuser: others may not load what explains. */
export function openExplainedStore(url: string): ExplainedStore {
  const plans: ExplainedStatement[] = []
  const pool = createPool(withSettings(url), 'reads')
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      const plan = readPlan(message ?? '')
      if (plan) plans.push(plan)
    })
  })
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  return {
    plans,
    store: {
      engine: 'postgres',
      db,
      reads: db,
      upkeep: db,
      async call<Row extends object>(statement: Statement, values: readonly unknown[]) {
        return (await pool.query<Row>({ ...statement, values: [...values] })).rows
      },
      close: () => pool.end(),
    },
  }
}

function withSettings(url: string): string {
  const explained = new URL(url)
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`)
  explained.searchParams.set('options', options.join(' '))
  return explained.href.replaceAll('+', '%20')
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** What auto_explain says of one statement: "duration: … plan:" and JSON. */
function readPlan(message: string): ExplainedStatement | undefined {
  const json = message.indexOf('{')
  if (!message.startsWith('duration:') || json < 0) return undefined
  const plan = JSON.parse(message.slice(json)) as { 'Query Text': string; Plan: PlanNode }
  const tables = findSequentialScans(plan.Plan).filter(isGrowing)
  return {
    text: plan['Query Text'].trim().replaceAll(/\s+/g, ' '),
    scanned: [...new Set(tables)],
  }
}

function findSequentialScans(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(findSequentialScans)]
}
