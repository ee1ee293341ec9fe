import { answerParent } from '../chat/child.ts'
import { createMixer, type Mix } from './generate-mix.ts'

export type MixMessage = { readonly origin: string; readonly keys: readonly string[] } | Mix

let mix: ReturnType<typeof createMixer> | undefined

answerParent(async (message: MixMessage) => {
  if ('origin' in message) mix = createMixer(message.origin, message.keys)
  else return mix?.(message)
  return undefined
})
