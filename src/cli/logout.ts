import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { openCredentials } from './credentials-file.ts'
import { asked, findSignInService, readSignInUrl } from './sign-in-service.ts'

/** Has the service end a person's credentials, and forgets them here in any case. */
export async function logout(io: CommandIo): Promise<void> {
  const file = openCredentials(io)
  const url = readSignInUrl(io)
  if (!file.read(url)) {
    io.stdout.write(`You were not signed in at ${url}.\n`)
    return
  }
  // First here: whatever becomes of the call, this machine has forgotten them.
  const credentials = await file.locked(async (write) => {
    const kept = file.read(url)
    write(url, undefined)
    return kept
  })
  if (credentials) await revoke(url, credentials.refresh_token ?? credentials.access_token)
  io.stdout.write(`Signed out at ${url}.\n`)
}

async function revoke(url: string, token: string): Promise<void> {
  try {
    const { openid, config } = await findSignInService(url)
    await asked(url, () => openid.tokenRevocation(config, token))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = error instanceof CommandError ? error.message : `${url} refused to be told.`
    throw new CommandError(
      `This machine has forgotten your credentials, but they were not ended: ${why}`,
      {
        cause: error,
      },
    )
  }
}
