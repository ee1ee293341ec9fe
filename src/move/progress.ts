/** What a move does, one after the other. */
export type Step = 'prepare' | 'verify_source' | 'make_tables' | 'copy' | 'verify_copy'

export type Progress =
  | { readonly kind: 'step'; readonly step: Step }
  /** Rows of all tables. */
  | { readonly kind: 'copied'; readonly rows: number; readonly total: number }
