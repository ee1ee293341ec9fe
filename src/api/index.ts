export type { WatchBounds } from './console/watch-handlers.ts'
export { createApi, type ApiOptions } from './create-api.ts'
export type { HttpBounds } from './http/bounds.ts'
