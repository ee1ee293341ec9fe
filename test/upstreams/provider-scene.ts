import type { TestContext } from 'node:test'
import type { ProviderOptions } from '#models/index.ts'
import {
  recordings,
  startFakeProvider,
  type FakeProvider,
  type Recording,
} from '../support/fake-provider/index.ts'
import { setScene, type Scene, type SceneOptions } from './scene.ts'

export const PROVIDER_KEY = 'a-provider-key-that-nobody-may-read'

export const providerKinds = ['anthropic', 'google', 'bedrock'] as const

export interface ProviderScene {
  readonly scene: Scene
  readonly recorded: Recording
  /** In the order in which the service tries them. */
  readonly providers: readonly FakeProvider[]
  readonly provider: FakeProvider
}

/** The real service before providers of one kind that play what was recorded. */
export async function setProviderScene(
  t: TestContext,
  kind: ProviderOptions['kind'],
  {
    count = 1,
    settings = {},
    ...rest
  }: Omit<SceneOptions, 'settings' | 'upstreamCount' | 'first'> & {
    readonly count?: number
    readonly settings?: Partial<ProviderOptions>
  } = {},
): Promise<ProviderScene> {
  const recorded = recordings[kind]
  const providers = await Promise.all(Array.from({ length: count }, () => startFakeProvider(kind)))
  t.after(() => Promise.all(providers.map((one) => one.close())))
  const first = providers.map(({ url }, index): ProviderOptions => ({
    kind,
    name: `provider-${index + 1}`,
    url,
    model: recorded.model,
    apiKey: PROVIDER_KEY,
    ...(kind === 'bedrock' && { region: 'eu-west-1' }),
    ...settings,
  }))
  const scene = await setScene(t, { upstreamCount: 0, ...rest, first })
  return { scene, recorded, providers, provider: providers[0] as FakeProvider }
}
