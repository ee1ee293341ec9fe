/** Connections of one replica: a database that allows 100 has room for eight, with `bulk` now and then. */
export const CONNECTIONS = { hot: 4, writes: 4, reads: 4, bulk: 1 } as const
