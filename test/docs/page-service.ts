import { startChild } from '../support/child.ts'
import type { Snippet } from './read-snippets.ts'

export const OPERATOR_TOKEN = 'operator-token-of-a-page-of-the-documentation'

/** The key of the first account, as the service prints it at its first start. */
const FIRST_KEY = /svc_live_\w+/

/** Whether the page itself starts the service, as a newcomer does. */
export function startsService({ use, text }: Snippet): boolean {
  return use.kind === 'background' && /\bnpm start\b/.test(text) && !/\bPORT=/.test(text)
}

/** The service of a page, with its store in `data` of this directory. */
export async function startPageService(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly key: string; end(): Promise<void> }> {
  const child = startChild('src/main.ts', [], { cwd, env })
  const [key] = await child.said(FIRST_KEY)
  return {
    key,
    async end() {
      child.process.kill('SIGTERM')
      await child.ended
    },
  }
}

/** The key that a service started by the page has printed. */
export function findKey(printed: string): string | undefined {
  return FIRST_KEY.exec(printed)?.[0]
}

/** A page asks more in a minute than a newcomer may: its account has tier 3, and the 1.00 € of everybody. */
export async function raiseTier(origin: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    'content-type': 'application/json',
  }
  const accounts = await fetch(`${origin}/operator/v1/accounts`, { headers })
  const { data } = (await accounts.json()) as { readonly data: readonly { readonly id: string }[] }
  const raised = await fetch(`${origin}/operator/v1/accounts/${data[0]?.id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ min_tier: 3 }),
  })
  if (!raised.ok) throw new Error(`${raised.status} ${await raised.text()}`)
}
