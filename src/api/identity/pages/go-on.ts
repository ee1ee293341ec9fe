import type { Answer, Visit } from './page.ts'
import { CONSOLE, leadsToApp } from './read-next.ts'

/** Where somebody who has just signed in, or was signed in already, goes on to. */
export function goOn({ next, cookies }: Visit): Answer {
  cookies.drop('next')
  const to = next ?? CONSOLE
  return leadsToApp(to) ? { kind: 'onward', to } : { kind: 'redirect', to }
}

/** As long as an app waits for its visitor. */
const REMEMBERED_S = 900

/** For what goes through a mail: the link in it does not say what the visitor was about to do. */
export function rememberNext({ next, cookies }: Visit): void {
  if (next !== undefined) cookies.keep('next', next, REMEMBERED_S)
}

/** The same page or another one, without losing where to go on to. */
export function withNext(path: string, { next }: Visit): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next }).toString()}`
}
