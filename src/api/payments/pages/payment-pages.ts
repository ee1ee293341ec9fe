import type { Payments } from '#payments/index.ts'
import type { Page } from '../../identity/pages/page.ts'
import { documentPage } from './document-page.ts'
import { createSandboxPage } from './sandbox-page.ts'
import { topupAction } from './topup-action.ts'

/** The pages where money is paid in, and its papers are read. */
export function createPaymentPages(payments: Payments | undefined): readonly Page[] {
  const { sandbox } = payments ?? {}
  return [documentPage, topupAction, ...(sandbox ? [createSandboxPage(sandbox)] : [])]
}
