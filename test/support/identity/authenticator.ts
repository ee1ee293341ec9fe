import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A device that keeps passkeys (WebAuthn Level 3), without a person in front of it. */
export interface Authenticator {
  /** Answers the options of a registration. */
  create(options: CreationOptions, ceremony?: Ceremony): object
  /** Answers the options of a sign-in with the passkey that was created last. */
  get(options: { readonly challenge: string }, ceremony?: Ceremony): object
}

export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
}

export interface Ceremony {
  /** The page that asks; another one than the service's must not be taken. */
  readonly origin?: string
  /** Whether the device asked for a finger or a PIN. */
  readonly isVerified?: boolean
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export function createAuthenticator(origin: string): Authenticator {
  const { hostname } = new URL(origin)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  /** WebAuthn, 6.1: the relying party, what the person did, and how often the key was used. */
  function writeData(ceremony: Ceremony, credential?: Buffer): Buffer {
    counter += 1
    const verified = ceremony.isVerified === false ? 0 : USER_VERIFIED
    const flags = USER_PRESENT | verified | (credential ? HAS_CREDENTIAL : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    const rpIdHash = createHash('sha256').update(hostname).digest()
    return Buffer.concat([rpIdHash, head, credential ?? Buffer.alloc(0)])
  }

  const writeClient = (type: string, challenge: string, ceremony: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: ceremony.origin ?? origin }))

  const wrap = (response: object): object => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    create({ challenge }, ceremony = {}) {
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, writeKey(x, y)])
      const data = writeData(ceremony, credential)
      return wrap({
        clientDataJSON: writeClient('webauthn.create', challenge, ceremony).toString('base64url'),
        attestationObject: writeAttestation(data).toString('base64url'),
        transports: ['internal'],
      })
    },
    get({ challenge }, ceremony = {}) {
      const client = writeClient('webauthn.get', challenge, ceremony)
      const data = writeData(ceremony)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return wrap({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

/** A COSE key (RFC 9053, 7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function writeKey(x: string, y: string): Buffer {
  const bytes = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  const start = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
  return Buffer.concat([start, bytes(x), Buffer.from([0x22]), bytes(y)])
}

/** {"fmt": "none", "attStmt": {}, "authData": data} in CBOR. */
function writeAttestation(data: Buffer): Buffer {
  const text = (word: string): Buffer => Buffer.from([0x60 + word.length, ...Buffer.from(word)])
  const head = Buffer.from([0x58, data.length])
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    head,
    data,
  ])
}
