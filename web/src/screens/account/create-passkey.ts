import { people } from '../../api/people.ts'

/** A passkey is for a name: a service at a bare address of a machine can have none (WebAuthn, 5.1.2). */
export function canHavePasskeys(): boolean {
  const { hostname } = location
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return !isAddress && 'PublicKeyCredential' in globalThis && isRecent()
}

/** Browsers of before 2025 read the options in a form of their own. */
function isRecent(): boolean {
  return 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** The device makes it, when its person has unlocked it; we keep the public half. */
export async function createPasskey(name: string): Promise<void> {
  const options = await people.beginPasskey()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await people.addPasskey(credential.toJSON(), name === '' ? undefined : name)
}
