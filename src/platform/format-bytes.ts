/** A size as people read it: `12.3 MB`, and `1.83 GB` from a thousand of them on. */
export function formatBytes(bytes: number): string {
  const [size, unit, digits] = bytes < 1e9 ? [bytes / 1e6, 'MB', 1] : [bytes / 1e9, 'GB', 2]
  return `${size.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`
}
