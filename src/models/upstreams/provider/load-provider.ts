import type { LanguageModelV4 } from '@ai-sdk/provider'
import manifest from '../../../../package.json' with { type: 'json' }
import type { ProviderKind, ProviderOptions } from './provider-options.ts'

export type Fetch = typeof globalThis.fetch

/** Makes the provider's model for one request, which goes out by the given fetch. */
export type ModelMaker = (fetch: Fetch) => LanguageModelV4

const PACKAGES = {
  anthropic: '@ai-sdk/anthropic',
  google: '@ai-sdk/google',
  bedrock: '@ai-sdk/amazon-bedrock',
} as const satisfies Readonly<Record<ProviderKind, keyof typeof manifest.peerDependencies>>

/** What a provider's kind needs is not part of a plain installation. */
export class ProviderNotInstalled extends Error {
  constructor(kind: ProviderKind) {
    const name = PACKAGES[kind]
    const wanted = `${name}@${manifest.peerDependencies[name]}`
    super(
      `An upstream of kind "${kind}" needs the package ${name}, which is not installed. ` +
        `Install it where Parley is: npm install --no-save --omit=dev ${wanted}`,
    )
    this.name = 'ProviderNotInstalled'
  }
}

/** Loads the provider's package: only where such an upstream is configured. */
export async function loadProvider(options: ProviderOptions): Promise<ModelMaker> {
  try {
    return await LOADERS[options.kind](options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes(PACKAGES[options.kind])
    throw isMissing ? new ProviderNotInstalled(options.kind) : error
  }
}

/** Addresses are always given: the packages would take others from the environment, which is not theirs. */
const LOADERS: Readonly<Record<ProviderKind, (options: ProviderOptions) => Promise<ModelMaker>>> = {
  async anthropic({ model, apiKey = '', url = 'https://api.anthropic.com/v1' }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return (fetch) => createAnthropic({ baseURL: url, apiKey, fetch })(model)
  },
  async google({ model, apiKey = '', url = 'https://generativelanguage.googleapis.com/v1beta' }) {
    const { createGoogle } = await import('@ai-sdk/google')
    return (fetch) => createGoogle({ baseURL: url, apiKey, fetch })(model)
  },
  async bedrock(options) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    const { model, apiKey, region = '', accessKeyId, secretAccessKey, sessionToken } = options
    const { url = `https://bedrock-runtime.${region}.amazonaws.com` } = options
    const signing =
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
    const access = {
      ...(apiKey !== undefined && { apiKey }),
      ...(signing && { credentialProvider: async () => signing }),
    }
    return (fetch) => createAmazonBedrock({ baseURL: url, region, ...access, fetch })(model)
  },
}
