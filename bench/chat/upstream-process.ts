import { startFixedUpstream } from '../../test/support/fake-upstream/index.ts'
import { answerParent } from './child.ts'
import { findWorkload } from './workload.ts'

/** Answers its first message with the address of an upstream that costs next to nothing. */
answerParent(async () => {
  const json = findWorkload('JSON').replies.json
  const sse = findWorkload('SSE').replies.sse
  const { url } = await startFixedUpstream({ json, sse })
  return url
})
