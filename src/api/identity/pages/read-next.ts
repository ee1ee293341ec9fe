import { INTERACTION, INVITATION_PATH } from '#identity/index.ts'
import { CONSOLE_SCREENS } from '../../contract/index.ts'

/** Where signing in leads, where nothing else was wanted. */
export const CONSOLE = '/console'

/** The console's screens, each with what it is asked for: filters, a notice. */
const SCREENS = CONSOLE_SCREENS.map((screen) => screen.replaceAll(/\$\w+/g, '[\\w-]{1,64}')).join(
  '|',
)
const QUERY = '(?:\\?[\\w.~:=&-]{1,500})?'

/** The pages of ours that signing in may lead to. An interaction's id is the provider's, and random. */
const OWN_PAGES = new RegExp(
  `^(?:${INTERACTION}/[\\w-]{1,64}|/account|${INVITATION_PATH}\\?token=[\\w-]{43}|(?:${SCREENS})${QUERY}|/documents/[RC]-\\d{4}-\\d{6,9})$`,
)

/**
 * Where to go on after signing in; undefined for whatever is not exactly one of our own pages, so that
 * no link to us leads anywhere else (an open redirect).
 */
export function readNext(value: string | null | undefined): string | undefined {
  return value && OWN_PAGES.test(value) ? value : undefined
}

/**
 * True for what leads on to an app. Browsers hold redirects that follow a form to the page's
 * form-action, so a form must not lead there by redirects.
 */
export function leadsToApp(path: string): boolean {
  return path.startsWith(`${INTERACTION}/`)
}
