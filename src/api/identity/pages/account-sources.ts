import type { Visit } from './page.ts'

export interface SessionEntry {
  readonly id: string
  readonly createdAtMs: number
  readonly userAgent: string | null
}

/** A person's sessions, each in one browser. */
export interface SessionSource {
  list(personId: string): Promise<readonly SessionEntry[]>
  end(personId: string, sessionId: string): Promise<boolean>
  endOthers(personId: string, keptId: string): Promise<void>
}

export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly usedAtMs: number
}

/** The apps that a person has let know who they are. */
export interface AppSource {
  list(personId: string): Promise<readonly ConnectedApp[]>
  revoke(personId: string, clientId: string): Promise<boolean>
}

/** What the account page lists besides, where the identity room has it. */
export interface AccountSources {
  readonly sessions: SessionSource | undefined
  readonly connectedApps: AppSource | undefined
}

export function findAccountSources({ people, identity }: Visit): AccountSources {
  const { sessions } = people as { readonly sessions?: SessionSource }
  const { connectedApps } = identity as { readonly connectedApps?: AppSource }
  return { sessions, connectedApps }
}
