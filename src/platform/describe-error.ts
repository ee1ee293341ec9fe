/** What is kept of an error: enough to find it, and no more than a line of the log can take. */
const MAX_MESSAGE_LENGTH = 500
const MAX_FRAMES = 10
const MAX_CAUSES = 4

/**
 * An error, for the log. The messages of a SyntaxError quote what could not be parsed, and that can
 * be somebody's conversation: of those only the name is kept.
 */
export function describeError(
  error: unknown,
  causes = MAX_CAUSES,
): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, message, stack, cause } = error
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name,
    ...(name !== 'SyntaxError' && { message: message.slice(0, MAX_MESSAGE_LENGTH) }),
    ...('code' in error && { code: error.code }),
    frames: frames?.slice(0, MAX_FRAMES).map((line) => line.trim()),
    ...(cause !== undefined && causes > 0 && { cause: describeError(cause, causes - 1) }),
  }
}
