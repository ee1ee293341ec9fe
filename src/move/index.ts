export { moveStore, type Move, type MoveOptions } from './move-store.ts'
export { MoveRefused } from './move-refused.ts'
export type { Progress, Step } from './progress.ts'
