/** What a backup and a restore do, one after the other. */
export type Step = 'copy' | 'check' | 'restore' | 'verify'

export type Progress =
  | { readonly kind: 'step'; readonly step: Step }
  /** The total is not known of what PostgreSQL writes. */
  | { readonly kind: 'bytes'; readonly bytes: number; readonly total: number | undefined }

export type OnProgress = (progress: Progress) => void
