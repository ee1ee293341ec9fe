import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { partWords } from './words.ts'

/**
 * The browser's own modal dialog: it keeps the focus in, and gives it back when it closes. `locked`
 * ones are closed by their own buttons only.
 */
export function Dialog({
  title,
  onClose,
  locked = false,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly locked?: boolean
  readonly children: ReactNode
}) {
  const words = useWords(partWords)
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: one that is gone cannot give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
      // Browsers close it all the same at a second Escape, or at a phone's way back.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return
        if (locked) currentTarget.showModal()
        else onClose()
      }}
      className="w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-line bg-card p-0 shadow-xl"
    >
      <div className="flex flex-col gap-4 p-5 sm:p-6">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-lg">
            {title}
          </h2>
          {!locked && (
            <button
              type="button"
              onClick={onClose}
              aria-label={words.close}
              className="-mt-1 -mr-1 flex size-8 shrink-0 items-center justify-center rounded-lg text-xl text-soft hover:bg-tint"
            >
              <span aria-hidden="true">×</span>
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}
