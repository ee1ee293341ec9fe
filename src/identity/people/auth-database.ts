import {
  CamelCasePlugin,
  OperationNodeTransformer,
  type Kysely,
  type KyselyPlugin,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely'
import { isUniqueViolation } from '#platform/store/index.ts'

/** Columns that hold 0 or 1; every other figure is one. */
const BOOLEANS: ReadonlySet<string> = new Set([
  'email_verified',
  'two_factor_enabled',
  'verified',
  'backed_up',
])
const MOMENT = /_(at|until)$/

/**
 * The store as better-auth wants it: names in camel case, moments as Dates and truths as booleans,
 * where our tables have snake case, epoch milliseconds, 0 and 1, on both engines alike.
 */
export function toAuthDatabase(db: Kysely<object>): Kysely<object> {
  return db.withPlugin(new CamelCasePlugin()).withPlugin(createValuePlugin())
}

/** SQLite's extended result codes: SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_TAKEN: readonly unknown[] = [2067, 1555]

/** True where a row was to be made that there may be one of only, and is. */
export function isTaken(error: unknown): boolean {
  if (isUniqueViolation(error)) return true
  return error instanceof Error && 'code' in error && SQLITE_TAKEN.includes(error.code)
}

function createValuePlugin(): KyselyPlugin {
  const transformer = new ValueTransformer()
  return {
    transformQuery: ({ node }) => transformer.transformNode(node),
    async transformResult({ result }) {
      return { ...result, rows: result.rows.map(readRow) }
    },
  }
}

class ValueTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...super.transformValue(node), value: writeValue(node.value) }
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    const values = node.values.map(writeValue) as PrimitiveValueListNode['values']
    return { ...super.transformPrimitiveValueList(node), values }
  }
}

function writeValue(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : value
}

type Row = Readonly<Record<string, unknown>>

function readRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, readValue(name, value)]),
  )
}

function readValue(name: string, value: unknown): unknown {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (typeof value !== 'number') return value
  if (BOOLEANS.has(column)) return value === 1
  return MOMENT.test(column) ? new Date(value) : value
}
