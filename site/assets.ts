import type { Language } from './words.ts'

/** Addresses of the files that pages load, each with a hash of what is in it. */
export interface Assets {
  readonly icon: string
  readonly style: string
  readonly script: string
  readonly reference: string
  readonly referenceStyle: string
  readonly scalar: string
  readonly search: Readonly<Record<Language, string>>
}
