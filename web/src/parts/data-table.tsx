import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures stand under each other by their last digit. */
  readonly isFigure?: boolean
}

/** A table that scrolls in its own frame where it is too wide, never the page. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}) {
  return (
    <div
      role="region"
      aria-label={caption}
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg"
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-edge">
            {columns.map(({ title, isFigure }) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2 font-medium whitespace-nowrap text-soft ${isFigure ? 'text-right' : ''}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0">
              {columns.map(({ title, cell, isFigure }) => (
                <td
                  key={title}
                  className={`px-3 py-2 align-top ${isFigure ? 'text-right whitespace-nowrap tabular-nums' : ''}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
