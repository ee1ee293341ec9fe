/** True for what can be the number of a receipt or a credit note. */
export function isDocumentNumber(text: string): boolean {
  return /^[RC]-\d{4}-\d{6,9}$/.test(text)
}
