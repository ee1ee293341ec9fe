const BEARER = /^bearer +([^\s]+)$/i

/** The credential of an Authorization header of the scheme Bearer, in any case (RFC 9110, 11.1). */
export function readBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}
