import type { Found, Search } from './create-search.ts'

/** Below the field in the frame there is room for these. */
const MAX_SHOWN = 8

/**
 * Shows what is found below the field as one types. On the search's own page it takes the place of
 * the list of everything, and the address says what was looked for.
 */
export function prepareSearchField(field: HTMLInputElement, search: Search): void {
  const form = field.closest('form')
  const list = form?.querySelector<HTMLUListElement>('.results')
  const count = form?.querySelector<HTMLElement>('.count')
  if (!form || !list || !count) return
  const everything = document.querySelector<HTMLElement>('[data-everything]')

  const show = async (): Promise<void> => {
    const query = field.value.trim()
    const found = query === '' ? [] : await search(query)
    // Something else has been typed meanwhile.
    if (query !== field.value.trim()) return
    list.replaceChildren(...found.slice(0, everything ? undefined : MAX_SHOWN).map(renderFound))
    list.hidden = found.length === 0
    if (everything) everything.hidden = query !== ''
    count.textContent = query === '' ? '' : describeCount(found.length, field)
  }
  const showOrTell = (): void => {
    show().catch(() => {
      count.textContent = field.dataset['failed'] ?? ''
    })
  }

  field.addEventListener('input', showOrTell)
  form.addEventListener('keydown', (event) => moveFocus(event, field, list))
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (everything || form.contains(relatedTarget as Node | null)) return
    list.hidden = true
    count.textContent = ''
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event.target)) return
    event.preventDefault()
    field.focus()
  })
  if (!everything) return
  field.value = new URLSearchParams(location.search).get('q') ?? ''
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    history.replaceState(null, '', `?q=${encodeURIComponent(field.value.trim())}`)
    showOrTell()
  })
  if (field.value !== '') showOrTell()
  field.focus()
}

function describeCount(count: number, { dataset }: HTMLInputElement): string {
  if (count === 0) return dataset['foundNone'] ?? ''
  if (count === 1) return dataset['foundOne'] ?? ''
  return (dataset['found'] ?? '').replace('{count}', String(count))
}

function renderFound({ page, heading, url, excerpt }: Found): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const title = document.createElement('strong')
  const text = document.createElement('span')
  link.href = url
  title.textContent = heading === '' ? page : `${page} › ${heading}`
  text.textContent = excerpt
  link.append(title, text)
  item.append(link)
  return item
}

/** Up and down walk through what was found; Escape puts it away. */
function moveFocus(event: KeyboardEvent, field: HTMLInputElement, list: HTMLUListElement): void {
  const links = [...list.querySelectorAll('a')]
  const place = links.findIndex((link) => link === document.activeElement)
  if (event.key === 'Escape') {
    list.hidden = true
    field.focus()
  } else if (event.key === 'ArrowDown' && !list.hidden) {
    event.preventDefault()
    links[Math.min(place + 1, links.length - 1)]?.focus()
  } else if (event.key === 'ArrowUp' && place >= 0) {
    event.preventDefault()
    if (place === 0) field.focus()
    else links[place - 1]?.focus()
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}
