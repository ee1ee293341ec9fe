import { SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api'

/** Runs within a new span below the active one; it fails with what is thrown, and ends with it. */
export function runInSpan<Result>(
  tracer: Tracer,
  name: string,
  run: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      failSpan(span, (error as Error).name)
      throw error
    } finally {
      span.end()
    }
  })
}

/** By the kind of error alone: a message could quote what must not leave the service. */
export function failSpan(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
