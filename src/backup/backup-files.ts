/** What a backup can hold, beside its manifest: nothing else is read from one, or written by one. */
export const FILES = ['parley.db', 'parley.dump', 'spill.jsonl', 'secret'] as const
export type FileName = (typeof FILES)[number]
