const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** How to reach a mail server: never in the clear, but on this machine or where the URL says so. */
export function describeTransport(url: string) {
  const { protocol, hostname, searchParams } = new URL(url)
  const isInTheClear = LOOPBACK.has(hostname) || searchParams.get('ignoreTLS') === 'true'
  return {
    url,
    // Without it nodemailer takes the server's word that there is no TLS, and so anybody's between.
    requireTLS: protocol === 'smtp:' && !isInTheClear,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A mail is what we wrote, whatever is in it: no file and no address is ever fetched for one.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
}
