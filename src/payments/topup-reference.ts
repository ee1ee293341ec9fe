/** What the books know a top-up's deposit by. */
export function depositReference(topupId: string): string {
  return `topup:${topupId}`
}

/** What they know a refund by. The sum makes it unique: each brings it to one that it has never been at. */
export function refundReference(topupId: string, refundedNano: number): string {
  return `refund:${topupId}:${refundedNano}`
}

const REFERENCE = /^(?:topup|refund):(top_[0-9a-f]{32})(?::\d+)?$/

/** Which top-up a line of the books is of; undefined for what is of none, and for disputes. */
export function topupIdOfReference(reference: string): string | undefined {
  return REFERENCE.exec(reference)?.[1]
}
