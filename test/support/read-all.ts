import { operate } from './call.ts'
import type { Service } from './service.ts'

/** All that the operator can read of a service, page by page. */
export async function readAll(service: Service): Promise<Readonly<Record<string, unknown>>> {
  const accounts = await readPages(service, '/accounts?limit=2')
  const read: Record<string, unknown> = { accounts, audit: await readPages(service, '/audit?') }
  for (const page of accounts) {
    for (const { id } of page.data) {
      read[`keys of ${id}`] = (await operate(service, 'GET', `/accounts/${id}/keys`)).json
      read[`receipts of ${id}`] = await readPages(service, `/accounts/${id}/receipts?limit=100`)
    }
  }
  const models = (await operate(service, 'GET', '/models')).json as { data?: unknown }
  read['models'] = models
  read['books'] = (await operate(service, 'GET', '/ledger/verify')).json
  return read
}

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

async function readPages(service: Service, path: string): Promise<Page[]> {
  const pages: Page[] = []
  let cursor: string | null = null
  do {
    const query_: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = (await operate(service, 'GET', path + query_)).json as unknown as Page
    pages.push(page)
    cursor = page.next_cursor
  } while (cursor !== null)
  return pages
}
