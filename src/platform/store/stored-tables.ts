/** A table as it is carried to another store: whole, and with figures that prove it. */
export interface StoredTable<Column extends string = string> {
  /** Columns to add up on both sides. Those whose names end in `_nano` are amounts. */
  readonly sums?: readonly Column[]
  /** Each value of this column is added up apart. */
  readonly by?: Column
  /** A start fills it on its own: rows there do not make a store that has been used. */
  readonly madeAtStart?: true
}

/** A room's tables by their names, each after those that it refers to. None can be left out. */
export type StoredTables<Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>> = {
  readonly [Name in keyof Tables & string]: StoredTable<keyof Tables[Name] & string>
}
