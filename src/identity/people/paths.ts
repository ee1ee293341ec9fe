/** Below it is the sign-in API. */
export const AUTH_PATH = '/api/auth'

/** Who asks; set from the connection, never taken from the caller. */
export const ADDRESS_HEADER = 'x-parley-address'
