const WORDS = {
  en: { copy: 'Copy', copied: 'Copied' },
  pt: { copy: 'Copiar', copied: 'Copiado' },
}
const SHOWN_MS = 2_000

/** A button on each block of code that somebody would run. Nothing where nothing may be copied. */
export function addCopyButtons(page: Document): void {
  const clipboard: Clipboard | undefined = navigator.clipboard
  // Browsers have it on secure origins alone.
  if (!clipboard) return
  const words = page.documentElement.lang.startsWith('pt') ? WORDS.pt : WORDS.en
  for (const figure of page.querySelectorAll('figure.code:not(.output)')) {
    const button = page.createElement('button')
    button.type = 'button'
    button.textContent = words.copy
    button.addEventListener('click', () => {
      void copy(figure.querySelector('code')?.textContent ?? '')
    })
    figure.append(button)

    async function copy(text: string): Promise<void> {
      await clipboard?.writeText(text)
      button.textContent = words.copied
      setTimeout(() => {
        button.textContent = words.copy
      }, SHOWN_MS)
    }
  }
}
