import { Link, type LinkProps } from '@tanstack/react-router'
import { useKeyNames } from '../../api/key-names.ts'
import { useMayOpen } from '../../api/screen-rights.ts'
import { writeEuros } from '../../format/figures.ts'
import { useSpeech } from '../../words/language.tsx'
import type { ActivityEntry } from './activity-query.ts'

/** What it was done to, by its name, and where that is found. */
export function ObjectLink({ entry }: { readonly entry: ActivityEntry }) {
  const keys = useKeyNames()
  const mayOpen = useMayOpen()
  const { locale } = useSpeech()
  const { details } = entry
  const keyName = keys.get(readText(details['key_id']) ?? '')?.name
  const euros = readText(details['amount_eur'])
  const name =
    keyName ??
    readText(details['name']) ??
    (euros === undefined ? undefined : writeEuros(euros, locale)) ??
    readText(details['client_id']) ??
    entry.about_email ??
    undefined
  if (name === undefined) return null
  const to = findScreen(entry.action)
  return to === undefined || !mayOpen(to) ? (
    <span className="wrap-anywhere text-soft">{name}</span>
  ) : (
    <Link
      to={to}
      className="inline-block min-h-6 wrap-anywhere text-accent underline underline-offset-4"
    >
      {name}
    </Link>
  )
}

const SCREENS: Readonly<Record<string, NonNullable<LinkProps['to']>>> = {
  key: '/console/keys',
  credit: '/console/balance',
  topup: '/console/balance',
  app: '/console/connected-apps',
  member: '/console/members',
}

function findScreen(action: string): LinkProps['to'] | undefined {
  return SCREENS[action.split('.', 1)[0] ?? '']
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
