/** Another process has this store open. */
export class StoreInUse extends Error {}

/** The database that the configuration names does not answer, or its file cannot be read. */
export class StoreUnreachable extends Error {}

/** What was in this store is in another one now. */
export class StoreMoved extends Error {}

/** A newer version has changed the tables: going back needs the backup from before. */
export class StoreTooNew extends Error {}
