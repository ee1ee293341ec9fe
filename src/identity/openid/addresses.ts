/** Where the provider answers, below its origin. The first three are the contract's. */
export const ADDRESSES = {
  authorization: '/api/oidc/authorize',
  token: '/api/oidc/token',
  userinfo: '/api/oidc/userinfo',
  jwks: '/api/oidc/jwks',
  revocation: '/api/oidc/revoke',
} as const

export const DISCOVERY = '/.well-known/openid-configuration'

/** The same, where clients look that know OAuth alone (RFC 8414, 3). */
export const OAUTH_DISCOVERY = '/.well-known/oauth-authorization-server'

/** Of the user-info endpoint, as RFC 9728 (3.1) builds it. */
export const RESOURCE_METADATA = `/.well-known/oauth-protected-resource${ADDRESSES.userinfo}`

/** Where a person is asked what the provider must know before it goes on. */
export const INTERACTION = '/interaction'
