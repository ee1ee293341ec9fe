import type { AdapterPayload } from 'oidc-provider'

/**
 * The clients that the service itself brings: they are in no table, so no operator can change or delete
 * them, and none can lose them. Their ids are none that `createId` makes.
 */
const BUILT_IN: Readonly<Record<string, AdapterPayload>> = {
  // `parley login`: a native app, which listens on whichever port is free (RFC 8252, 7.3).
  'parley-cli': {
    client_id: 'parley-cli',
    client_name: 'The parley command',
    redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  },
}

export function findBuiltInClient(clientId: string): AdapterPayload | undefined {
  return Object.hasOwn(BUILT_IN, clientId) ? BUILT_IN[clientId] : undefined
}
