/** A text of figures and brackets, as it is. */
export function PlainBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // What scrolls must be reached by the keyboard.
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-60 overflow-auto rounded-lg border border-line bg-paper px-3 py-2 text-sm"
    >
      <code className="font-mono">{text}</code>
    </pre>
  )
}
