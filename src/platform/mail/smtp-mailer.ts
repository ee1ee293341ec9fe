import { setTimeout as delay } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import type { Log } from '../log.ts'
import type { Mail, Mailer } from './mailer.ts'
import { describeTransport } from './describe-transport.ts'

export interface SmtpMailerOptions {
  /** Like "smtps://user:password@mail.example.com". */
  readonly url: string
  /** Whom the mails are from: an address, with or without a name. */
  readonly from: string
  readonly log: Log
  /** How long to wait before each further try; as many tries as waits, and the first. */
  readonly waitsMs?: readonly number[]
  readonly attemptTimeoutMs?: number
  readonly maxWaiting?: number
}

/** Servers that turn strangers away for a while (greylisting) take a mail a minute later. */
const WAITS_MS = [2_000, 15_000, 75_000]
const ATTEMPT_TIMEOUT_MS = 30_000
/** A thousand mails of a few kilobytes; beyond it there is no mail to be had for a while. */
const MAX_WAITING = 1_000
const MAX_UNDER_WAY = 4

/** Sends mail by SMTP, over verified TLS, a few times over where the server is away or busy. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { maxWaiting = MAX_WAITING, log } = options
  const waiting: Given[] = []
  const underWay = new Set<Promise<void>>()
  const transport = createLazyTransport(options)
  /** Set while somebody waits for the end: a try that failed is followed by one more at once. */
  let ending = new AbortController()

  function startNext(): void {
    while (underWay.size < MAX_UNDER_WAY) {
      const given = waiting.shift()
      if (!given) return
      const sending = deliver(given, options, transport, () => ending.signal).finally(() => {
        underWay.delete(sending)
        startNext()
      })
      underWay.add(sending)
    }
  }

  return {
    get available() {
      return waiting.length < maxWaiting
    },
    send(mail, onGivenUp) {
      if (waiting.length >= maxWaiting) {
        log.error({ subject: mail.subject }, 'mail given up: too many are waiting')
        onGivenUp?.()
        return
      }
      waiting.push({ mail, onGivenUp })
      startNext()
    },
    async idle() {
      ending.abort()
      while (underWay.size > 0) await Promise.all(underWay)
      ending = new AbortController()
    },
  }
}

type Send = (mail: Mail, signal: AbortSignal) => Promise<void>

/** Nodemailer is loaded with the first mail: most starts send none for a while. */
function createLazyTransport({ url, from }: SmtpMailerOptions): Send {
  let loading: Promise<Transporter> | undefined
  return async ({ to, subject, text, html }, signal) => {
    loading ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(describeTransport(url)),
    )
    const transporter = await loading
    const message = { from, to, subject, text, ...(html !== undefined && { html }), signal }
    await transporter.sendMail(message)
  }
}

interface Given {
  readonly mail: Mail
  readonly onGivenUp: (() => void) | undefined
}

async function deliver(
  { mail, onGivenUp }: Given,
  { log, waitsMs = WAITS_MS, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }: SmtpMailerOptions,
  send: Send,
  ending: () => AbortSignal,
): Promise<void> {
  for (const [index, waitMs] of [...waitsMs, undefined].entries()) {
    try {
      await send(mail, AbortSignal.timeout(attemptTimeoutMs))
      log.debug({ subject: mail.subject, attempt: index + 1 }, 'mail sent')
      return
    } catch (error) {
      const failure = describeFailure(error)
      const fields = { subject: mail.subject, attempt: index + 1, ...failure }
      const isLast = waitMs === undefined || failure.permanent
      if (isLast) {
        log.error(fields, 'mail given up')
        if (!failure.permanent) onGivenUp?.()
        return
      }
      log.warn(fields, 'mail not sent yet')
      await delay(waitMs, undefined, { signal: ending() }).catch(() => {})
    }
  }
}

interface Failure {
  readonly error_code: string | null
  /** What the server answered with; its sentence is left out, for it has the address in it. */
  readonly smtp_status: number | null
  readonly permanent: boolean
}

function describeFailure(error: unknown): Failure {
  const { code, responseCode } = error as {
    readonly code?: unknown
    readonly responseCode?: unknown
  }
  const status = typeof responseCode === 'number' ? responseCode : null
  return {
    error_code: typeof code === 'string' ? code : 'unknown',
    smtp_status: status,
    // RFC 5321, 4.2.1: what begins with 5 fails again however often it is tried.
    permanent: status !== null && status >= 500,
  }
}
