import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError } from '../describe-error.ts'
import { createId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Mailer } from './mailer.ts'

export interface FileMailerOptions {
  readonly directory: string
  readonly log: Log
}

/**
 * For development: each mail becomes a file that only its owner can read, and a line of the log says
 * where it is and where it leads, so that nobody needs a mail server to try the service.
 */
export function createFileMailer({ directory, log }: FileMailerOptions): Mailer {
  const writing = new Set<Promise<void>>()
  return {
    available: true,
    send({ to, subject, text, link }) {
      const path = join(directory, `${createId('row')}.txt`)
      const written = mkdir(directory, { recursive: true, mode: 0o700 })
        .then(() => writeFile(path, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 }))
        .then(() => log.info({ path, subject, link }, 'mail'))
        .catch((error: unknown) => log.error({ error: describeError(error) }, 'mail not written'))
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    async idle() {
      await Promise.all(writing)
    },
  }
}
