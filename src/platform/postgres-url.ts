/** Whether a text is the address of a PostgreSQL, as libpq writes them. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
}

/** Host, port and database: what a person needs, without the password that a URL may have in it. */
export function describeDatabase(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  // A socket's directory cannot stand before the port, and is given as a parameter.
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || '5432'}${pathname}`
}
