export { createApi, type ApiOptions } from './create-api.ts'
export type { HttpBounds } from './http/bounds.ts'
