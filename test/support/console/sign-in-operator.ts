import type { Page } from 'playwright-core'
import type { Service } from '../service.ts'
import { makeOperator } from './furnish.ts'
import { signInTo } from './open-console.ts'

/** Somebody new who is an operator, signed in in this page's browser. */
export async function signInOperator(service: Service, page: Page, email: string): Promise<void> {
  await signInTo(service, page, email)
  await makeOperator(service, email)
}
