import { sql, type Kysely, type Transaction } from 'kysely'
import { keepReplicasOut } from '#gate/index.ts'
import { findMonths, makePartitions, verifyBooksWithin, type Verification } from '#ledger/index.ts'
import {
  compareFigures,
  isDifferent,
  readFigures,
  type Comparison,
  type Figure,
} from '#platform/store/index.ts'
import { TABLES } from '#tables.ts'
import { checkTarget } from './check-target.ts'
import { copyTable } from './copy-table.ts'
import { digestTable } from './digest.ts'
import type { Progress } from './progress.ts'

export interface FillOptions {
  readonly source: Kysely<object>
  readonly target: Kysely<object>
  readonly place: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
  /** Called when all is right and nothing but the commit is left. */
  readonly onCommit: () => void
}

/** What both ends have, and what the books of the copy say of themselves. */
export interface Proof {
  readonly figures: readonly Comparison[]
  readonly verification: Verification
}

/** Thrown to roll back a copy that is not the same as its source. */
export class CopyDiffers extends Error {
  readonly proof: Proof

  constructor(proof: Proof) {
    super('the copy differs from its source')
    this.proof = proof
  }
}

/** How long another one's lock is waited for: nobody should have any. */
const LOCK_TIMEOUT = '2s'

/** Copies every row and proves it, in one transaction: where it does not end well, nothing is there. */
export async function fillTarget(options: FillOptions): Promise<Proof> {
  const { source, target, place, signal, onProgress, onCommit } = options
  const before = await readFigures(source, TABLES)
  const months = await findMonths(source)
  return target.transaction().execute(async (tx) => {
    await lockOthersOut(tx)
    // Again: somebody may have come between the first look and the locks.
    await checkTarget(tx, place)
    await emptyTablesMadeAtStart(tx)
    await makePartitions(tx, months)
    const digests = await copyTables(options, tx, countAll(before))
    onProgress({ kind: 'step', step: 'verify_copy' })
    const after = await readFigures(tx, TABLES)
    for (const [table, { columns }] of digests) {
      signal.throwIfAborted()
      after.push(toDigest(table, await digestTable(tx, table, columns)))
    }
    const sent = [...digests].map(([table, { digest }]) => toDigest(table, digest))
    const figures = compareFigures(TABLES, [...before, ...sent], after)
    const proof = { figures, verification: await verifyBooksWithin(tx) }
    if (!proof.verification.ok || figures.some(isDifferent)) throw new CopyDiffers(proof)
    signal.throwIfAborted()
    onCommit()
    return proof
  })
}

async function lockOthersOut(tx: Transaction<object>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  const tables = Object.keys(TABLES).map((table) => sql.table(table))
  await sql`lock table ${sql.join(tables)} in share row exclusive mode`.execute(tx)
  await keepReplicasOut(tx)
}

/** A service that was started there has left rows; those of the source take their place. */
async function emptyTablesMadeAtStart(tx: Transaction<object>): Promise<void> {
  for (const [table, { madeAtStart }] of Object.entries(TABLES)) {
    if (madeAtStart) await sql`delete from ${sql.table(table)}`.execute(tx)
  }
}

async function copyTables(
  { source, signal, onProgress }: FillOptions,
  target: Transaction<object>,
  total: number,
) {
  onProgress({ kind: 'step', step: 'copy' })
  const digests = new Map<string, { columns: readonly string[]; digest: bigint }>()
  let rows = 0
  const onCopied = (more: number): void => {
    rows += more
    onProgress({ kind: 'copied', rows, total })
  }
  for (const table of Object.keys(TABLES)) {
    digests.set(table, await copyTable({ source, target, table, onCopied, signal }))
    // The planner knows nothing of new rows yet, and the proof joins them.
    await sql`analyze ${sql.table(table)}`.execute(target)
  }
  return digests
}

/** Sixteen digits are enough to see at a glance whether two are the same. */
function toDigest(table: string, sum: bigint): Figure {
  return { table, name: 'contents', unit: 'digest', value: BigInt.asUintN(64, sum) }
}

function countAll(figures: readonly Figure[]): number {
  const rows = figures.filter(({ name }) => name === 'rows').map(({ value }) => Number(value))
  return rows.reduce((sum, count) => sum + count, 0)
}
