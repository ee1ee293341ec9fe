import type { UsageDay } from '../../api/usage.ts'
import { writeCsv } from '../../format/write-csv.ts'

const HEADER = ['day', 'model', 'requests', 'prompt_tokens', 'completion_tokens', 'cost_eur']

/** What the table under the bars shows, as a file. */
export function writeUsageCsv(days: readonly Omit<UsageDay, 'written_off_eur'>[]): string {
  return writeCsv(
    HEADER,
    days.map((row) => [
      row.day,
      row.brand,
      row.requests,
      row.prompt_tokens,
      row.completion_tokens,
      row.cost_eur,
    ]),
  )
}
