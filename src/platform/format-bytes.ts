/** A size as people read it: "1,234.5 MB". */
export function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
