/** More than zero euros, as the contract takes them: "20", "20.00", with at most so many decimals. */
export function isAmount(text: string, decimals: number): boolean {
  const found = /^\d{1,7}(?:\.(\d{1,9}))?$/.exec(text)
  return found !== null && (found[1] ?? '').length <= decimals && /[1-9]/.test(text)
}
