/**
 * An error, for the log. The messages of a SyntaxError quote what could not be parsed, and that can
 * be somebody's conversation: of those only the name is kept.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, message, stack, cause } = error
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name,
    ...(name !== 'SyntaxError' && { message }),
    ...('code' in error && { code: error.code }),
    frames: frames?.map((line) => line.trim()),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}
