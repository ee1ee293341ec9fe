import { placeOf } from '../ask.ts'
import { counted, note, ok, problem, warning, type Finding } from '../finding.ts'
import type { ModelList } from './list-models.ts'
import type { Use } from './targets.ts'

const MAX_NAMES = 8

/** What the list of models shows: the server is there, takes the key, and has this model. */
export function judgeServer(list: ModelList, url: string, model: string | undefined): Finding[] {
  const place = placeOf(url)
  switch (list.kind) {
    case 'unreachable':
      return [
        problem(`${place} cannot be reached: ${list.reason}.`, 'Start it, or correct the address.'),
      ]
    case 'refused':
      return [judgeRefusal(list.status, place, model)]
    case 'listed':
      return [
        judgeModel(list, place, model),
        ...(list.keepsConnection
          ? []
          : [
              warning(
                `${place} closes the connection after each answer.`,
                'Switch keep-alive on there: each request waits for a new connection.',
              ),
            ]),
      ]
  }
}

function judgeRefusal(status: number, place: string, model: string | undefined): Finding {
  if (status === 401 || status === 403) {
    const advice = 'Correct api_key, or --key-env: the name of the variable that has the key.'
    return problem(`${place} refuses the key (HTTP ${status}).`, advice)
  }
  const found = `${place} does not list its models (HTTP ${status}).`
  if (model === undefined) return problem(found, 'Give the name of a model as --model.')
  return note(found, 'Parley does without; see that the address ends before /chat/completions.')
}

function judgeModel(
  { models }: Extract<ModelList, { kind: 'listed' }>,
  place: string,
  model: string | undefined,
): Finding {
  const names = models.slice(0, MAX_NAMES).map(({ id }) => id)
  const more = models.length > names.length ? ' …' : ''
  const listed = `${place} is reachable, and lists ${counted(models.length, 'model')}`
  if (model === undefined) {
    const advice = `Give one of them as --model: ${names.join(', ')}${more}`
    return problem(`${listed}.`, advice)
  }
  if (models.some(({ id }) => id === model)) return ok(`${listed}, ${model} among them.`)
  const advice = `It may answer all the same. It lists: ${names.join(', ')}${more}`
  return warning(`${listed}, and ${model} is not among them.`, advice)
}

/** The context that a server tells, against what is sold of it. */
export function judgeWindow(told: number | undefined, uses: readonly Use[]): Finding[] {
  if (told === undefined) {
    const advice = 'Set context_window to what the server was started with.'
    return [note('It does not tell how long its context is.', advice)]
  }
  const tokens = told.toLocaleString('en')
  const wrong = uses.filter(({ contextWindow }) => contextWindow > told)
  if (wrong.length === 0) return [ok(`Its context is ${tokens} tokens long, it says.`)]
  return wrong.map(({ brand, contextWindow }) =>
    warning(
      `Its context is ${tokens} tokens long, and ${brand} is sold with ${contextWindow.toLocaleString('en')}.`,
      `Set models.${brand}.context_window to ${told}.`,
    ),
  )
}
