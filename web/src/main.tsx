import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeNamedAccount } from './api/chosen-account.tsx'
import { createQueryClient } from './api/query-client.ts'
import { createConsoleRouter } from './routes.tsx'
import { LanguageProvider } from './words/language.tsx'
import './styles.css'

const place = document.querySelector('#console')
if (!place) throw new Error('the page has no place for the console')
takeNamedAccount()
const queries = createQueryClient()
const router = createConsoleRouter()

createRoot(place).render(
  <StrictMode>
    <LanguageProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
