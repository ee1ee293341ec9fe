import { answerParent } from './child.ts'
import { createGenerator, type Generator, type Load, type Target } from './generate-load.ts'

export type LoadMessage = { readonly targets: Record<Load['target'], Target> } | Load

let generator: Generator | undefined

answerParent(async (message: LoadMessage) => {
  if ('targets' in message) generator = createGenerator(message.targets)
  else return generator?.run(message)
  return undefined
})
