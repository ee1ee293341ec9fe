import { getSystemErrorName } from 'node:util'
import { describeTransport } from '#platform/mail/index.ts'
import { describeTimeout, explain, placeOf } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

/** Connects as the service would, signs in, and sends nothing. */
export async function checkMail({ config, timeoutMs }: Patient): Promise<Finding[]> {
  const { smtp, production } = config
  if (smtp === undefined) {
    const advice = 'Set SMTP_URL and PARLEY_MAIL_FROM.'
    return production
      ? [warning('SMTP_URL is not set: nobody can sign up or set a new password.', advice)]
      : [note('Mails are written to files in the data directory; production needs SMTP_URL.')]
  }
  const place = placeOf(smtp.url.replace(/^smtp/, 'http'))
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...describeTransport(smtp.url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
  try {
    await transport.verify()
    const { username, protocol } = new URL(smtp.url)
    const how = username === '' ? 'without signing in' : 'signed in'
    const tls = protocol === 'smtps:' ? ', over TLS' : ''
    return [ok(`${place} takes mail from ${smtp.from} (${how}${tls}). None was sent.`)]
  } catch (error) {
    return [explainMail(error as MailError, place, timeoutMs)]
  } finally {
    transport.close()
  }
}

type MailError = NodeJS.ErrnoException & { readonly responseCode?: number }

/** The server's own sentence is left out: it may repeat what it was given. */
function explainMail(error: MailError, place: string, timeoutMs: number): Finding {
  const status = error.responseCode === undefined ? '' : ` (${error.responseCode})`
  if (error.code === 'EAUTH') {
    const advice = 'Correct user and password in SMTP_URL; special characters are written as %40.'
    return problem(`${place} refuses user or password${status}.`, advice)
  }
  if (error.code === 'ETLS' || /certificate|self.signed/i.test(error.message)) {
    const why = error.code === 'ETLS' ? 'offers no TLS' : 'has a certificate that is not trusted'
    const advice = 'Use a server with TLS (smtps://…:465, or smtp://…:587 with STARTTLS).'
    return problem(`${place} ${why}: no mail is sent in the clear.`, advice)
  }
  const why =
    error.code === 'ETIMEDOUT' ? describeTimeout(timeoutMs) : explainConnection(error, timeoutMs)
  return problem(`${place} cannot be used: ${why}${status}.`, 'Look at host and port of SMTP_URL.')
}

/** Nodemailer puts a code of its own over the system's, and leaves its number. */
function explainConnection(error: MailError, timeoutMs: number): string {
  const { errno } = error
  const code = errno === undefined || errno >= 0 ? error.code : getSystemErrorName(errno)
  return explain(Object.assign(new Error('no mail'), { code }), timeoutMs).reason
}
