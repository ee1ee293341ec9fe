import type { Page } from 'playwright-core'

/** The request id of what `failReplies` answers. */
export const FAILED_ID = 'req_that_failed'

/** Answers what matches as a service that has broken does; ends when called. */
export async function failReplies(page: Page, url: string): Promise<() => Promise<void>> {
  await page.route(url, (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': FAILED_ID },
      json: {
        error: { type: 'api_error', code: 'internal_error', message: 'Something went wrong.' },
      },
    }),
  )
  return () => page.unroute(url)
}

/** Keeps what matches waiting for its answer until called. */
export async function holdReplies(page: Page, url: string): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held: Promise<void>[] = []
  await page.route(url, async (route) => {
    const going = promise.then(() => route.continue())
    held.push(going)
    await going
  })
  return async () => {
    resolve()
    await Promise.all(held)
    await page.unroute(url)
  }
}
