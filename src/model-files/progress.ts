/** What an installation does, one after the other. */
export type Step = 'engine' | 'resume' | 'download' | 'copy' | 'check'

export type Progress =
  | { readonly kind: 'step'; readonly step: Step }
  /** `from`: how much of it was there when this began. */
  | {
      readonly kind: 'bytes'
      readonly done: number
      readonly total: number | undefined
      readonly from: number
    }
  /** A connection failed; there is a new try in so many milliseconds. */
  | { readonly kind: 'retry'; readonly reason: string; readonly inMs: number }

export type OnProgress = (progress: Progress) => void
