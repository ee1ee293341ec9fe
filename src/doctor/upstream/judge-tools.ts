import type { ToolCall } from '#models/index.ts'
import { counted, note, ok, warning, type Finding } from '../finding.ts'
import { readObject } from '../ask.ts'
import type { Reply } from './call-upstream.ts'
import { describeFailure } from './explain-failure.ts'
import { TOOLS } from './questions.ts'

const PARSER = 'Give the server the tool parser that fits the model; air needs none.'

/** Calls that came, whole and streamed; what they must be for callers to run them. */
export function judgeToolCalls(whole: Reply, streamed: Reply): Finding[] {
  const forms = [
    ['whole', whole],
    ['streamed', streamed],
  ] as const
  const found = forms.map(([form, reply]) => judgeForm(form, reply))
  const most = Math.max(...forms.map(([, { calls }]) => calls.length))
  if (most === 0) return found
  const several = 'Calls several tools at once.'
  const one = 'Called one tool where two were asked for at once: the model may not do several.'
  return [...found, most > 1 ? ok(several) : note(one)]
}

function judgeForm(form: string, { failure, calls, content }: Reply): Finding {
  if (failure) {
    const found = `Refuses requests with tools, ${form}: ${describeFailure(failure)}.`
    return warning(found, `Prime and nova sell tools, and callers would get 502. ${PARSER}`)
  }
  if (calls.length === 0) {
    const isText = TOOLS.some(({ name }) => content.includes(name))
    const found = isText
      ? `The tool call came as text, ${form}.`
      : `Called no tool where it was asked to, ${form}.`
    return warning(found, PARSER)
  }
  const broken = calls.filter((call) => !isSound(call))
  if (broken.length > 0) {
    const found = `${broken.length} of ${calls.length} tool calls, ${form}, have a name or arguments that are none.`
    return warning(found, PARSER)
  }
  if (new Set(calls.map(({ id }) => id)).size < calls.length) {
    return warning(`Tool calls, ${form}, share an id.`, 'Callers cannot answer them apart.')
  }
  return ok(`Calls tools, ${form}: ${counted(calls.length, 'call')} with ids of their own.`)
}

function isSound({ name, arguments: args }: ToolCall): boolean {
  return TOOLS.some((tool) => tool.name === name) && readObject(args) !== undefined
}

export function judgeAnswered(plain: Reply, withReasoning: Reply | undefined): Finding {
  if (!plain.failure) return ok('Goes on after tools were answered.')
  if (withReasoning && !withReasoning.failure) {
    return ok('Goes on after tools were answered, if its reasoning is sent back (send_reasoning).')
  }
  const found = `Fails after tools were answered: ${describeFailure(plain.failure)}.`
  return warning(found, 'Look at its log for what it does not take; callers would get 502.')
}
