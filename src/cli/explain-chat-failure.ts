import { ConnectionError, RefusedError, TimedOutError, UnexpectedAnswerError } from 'parley-client'
import { explainNetworkError } from './call-service.ts'
import { CommandError } from './command-error.ts'

/** What a failed chat means to a person at the terminal; a bug, and what they stopped, as it is. */
export function explainChatFailure(url: string, error: unknown): unknown {
  if (error instanceof RefusedError && error.code !== '') {
    return new CommandError(describeRefusal(error), { code: error.code, cause: error })
  }
  if (error instanceof RefusedError || error instanceof UnexpectedAnswerError) {
    const sentence = `${url} does not answer as Parley does. ${error.message}`
    const told = sentence.replace('Is baseUrl right?', "Set PARLEY_URL to the service's address.")
    return new CommandError(told, { cause: error })
  }
  if (error instanceof TimedOutError) {
    return new CommandError(`${url}: ${error.message} Look at the service's log.`, { cause: error })
  }
  if (!(error instanceof ConnectionError)) return error
  const explained = explainNetworkError(url, error.cause)
  if (explained instanceof CommandError) return explained
  return new CommandError(`The connection to ${url} broke off before the reply had ended.`, {
    cause: error,
  })
}

/** The service names the way out itself, but for where this command has its key from. */
export function describeRefusal({ message, code, status, requestId }: RefusedError): string {
  const sentence = `${message} [${[code, requestId].filter(Boolean).join(', ')}]`
  if (status !== 401) return sentence
  return `${sentence}\nThe key is that of --key, else of PARLEY_API_KEY. A new one: parley key create ACCOUNT --name chat`
}
