import { deepEqual, equal } from 'node:assert/strict'
import type { Workload } from './workload.ts'

/**
 * Checks each reply to its last byte. The first is read as a client would read it; the others must
 * be the same text but for their id and time, which is cheap enough to be asked of every reply.
 */
export function createReplyCheck(workload: Workload): (status: number, body: string) => void {
  let expected: string | undefined
  return (status, body) => {
    const rest = status === 200 ? withoutIdentity(body) : undefined
    if (rest !== undefined && rest === expected) return
    equal(status, 200, `status ${status}: ${body.slice(0, 300)}`)
    if (workload.streamed) checkStream(workload, body)
    else checkCompletion(workload, body)
    if (expected !== undefined) equal(rest, expected)
    expected = rest
  }
}

/** What stands before `"model"` has the id and the time; a stream repeats it in each event. */
function withoutIdentity(body: string): string {
  return body.replaceAll(body.slice(0, body.indexOf('"model"')), '')
}

function checkCompletion(workload: Workload, body: string): void {
  const { choices, usage } = JSON.parse(body)
  equal(choices[0].message.content, workload.content)
  equal(choices[0].finish_reason, 'stop')
  checkUsage(workload, usage)
}

function checkStream(workload: Workload, body: string): void {
  const lines = body.split('\n').filter((line) => line.startsWith('data: '))
  equal(lines.pop(), 'data: [DONE]')
  const events = lines.map((line) => JSON.parse(line.slice('data: '.length)))
  const choices = events.flatMap((event) => event.choices)
  equal(choices.map(({ delta }) => delta.content ?? '').join(''), workload.content)
  equal(choices.at(-1).finish_reason, 'stop')
  checkUsage(workload, events.at(-1).usage)
}

function checkUsage({ usage }: Workload, found: Record<string, unknown>): void {
  deepEqual(
    { promptTokens: found['prompt_tokens'], completionTokens: found['completion_tokens'] },
    usage,
  )
}
