import './docs.css'
import { addCopyButtons } from './add-copy-buttons.ts'
import { createSearch } from './create-search.ts'
import { prepareSearchField } from './prepare-search-field.ts'

// Comforts: every page is read, and every link followed, without this file.
addCopyButtons(document)
const field = document.querySelector<HTMLInputElement>('.search input')
if (field) prepareSearchField(field, createSearch(field.dataset['index'] ?? ''))
