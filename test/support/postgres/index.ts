export { createDatabaseIfAsked } from './shared-postgres.ts'
export { startPostgres, type Postgres } from './start-postgres.ts'
