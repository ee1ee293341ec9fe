export { createApi, type ApiOptions } from './create-api.ts'
