export function Brand() {
  return (
    <p className="flex items-center gap-2 text-lg font-bold tracking-tight">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <path
          className="fill-accent"
          d="M6 3h20a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H15l-7 6v-6H6a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5z"
        />
        <path
          className="fill-none stroke-on-accent"
          strokeWidth="2.6"
          strokeLinecap="round"
          d="M9 10.5h14M9 16h9"
        />
      </svg>
      Parley
    </p>
  )
}
