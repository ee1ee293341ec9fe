import type { Service } from '../service.ts'
import { RESOURCE_METADATA } from '../../../src/identity/openid/addresses.ts'

export const USERINFO = '/api/oidc/userinfo'

export interface UserInfoAnswer {
  readonly status: number
  readonly text: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly challenge: string | null
}

export async function askUserInfo(
  { origin }: Pick<Service, 'origin'>,
  token: string | undefined,
  init: RequestInit = {},
): Promise<UserInfoAnswer> {
  const headers = new Headers(init.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(origin + USERINFO, { ...init, headers })
  const text = await response.text()
  return {
    status: response.status,
    text,
    claims: JSON.parse(text) as Readonly<Record<string, unknown>>,
    challenge: response.headers.get('www-authenticate'),
  }
}

/** The challenge that a refusal has, with the error that it names. */
export function writeChallenge(issuer: string, error?: 'invalid_token'): string {
  const named = error === undefined ? '' : `, error="${error}"`
  return `Bearer realm="${issuer}"${named}, resource_metadata="${issuer}${RESOURCE_METADATA}"`
}
