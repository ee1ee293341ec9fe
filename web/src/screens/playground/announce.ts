/** What came since the last announcement, up to a whole word: words read in halves are not understood. */
export function cutAnnouncement(
  text: string,
  saidLength: number,
): { readonly piece: string; readonly length: number } {
  const end = text.lastIndexOf(' ') + 1
  return end <= saidLength
    ? { piece: '', length: saidLength }
    : { piece: text.slice(saidLength, end), length: end }
}
