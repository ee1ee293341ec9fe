const SHOWN_MS = 2_000

/** A button on each block of code that somebody would run. Nothing where nothing may be copied. */
export function addCopyButtons(page: Document): void {
  const clipboard: Clipboard | undefined = navigator.clipboard
  // Browsers have it on secure origins alone.
  if (!clipboard) return
  const { copy: label = '', copied = '' } = page.body.dataset
  for (const figure of page.querySelectorAll('figure.code:not(.output)')) {
    const button = page.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', () => {
      void copy(figure.querySelector('code')?.textContent ?? '')
    })
    figure.append(button)

    async function copy(text: string): Promise<void> {
      await clipboard?.writeText(text)
      button.textContent = copied
      setTimeout(() => {
        button.textContent = label
      }, SHOWN_MS)
    }
  }
}
