import type { Operation } from './operation.ts'

/** One operation that is to go, as it was announced. Days are UTC. */
export interface Deprecation {
  readonly operationId: string
  /** The day since which it should not be used any more. */
  readonly since: string
  /** The day on which it goes; undefined until there is one. */
  readonly sunset?: string
  /** Where it is told what to use instead: a path of this service. */
  readonly guide: string
}

/** What has been announced. Nothing is retired without having stood here first. */
export const DEPRECATIONS: readonly Deprecation[] = []

/**
 * The same operations, those that are deprecated with what was announced of them. Throws for what
 * cannot be meant: an operation that there is not, a sunset that is not after the announcement.
 */
export function announce<Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
  deprecations: readonly Deprecation[],
): Operations {
  const announced = Object.entries(operations).map(([name, operation]) => {
    const deprecation = deprecations.find(({ operationId }) => operationId === operation.id)
    return [name, deprecation ? { ...operation, deprecation } : operation] as const
  })
  // The same names, each with an operation of the same types.
  return Object.fromEntries(announced) as Operations
}

/** Throws for what is wrong with the list, before any operation is served by it. */
export function checkDeprecations(
  deprecations: readonly Deprecation[],
  operations: readonly Operation[],
): void {
  for (const { operationId, since, sunset, guide } of deprecations) {
    const refuse = (reason: string): never => {
      throw new Error(`the deprecation of ${operationId}: ${reason}`)
    }
    if (!operations.some(({ id }) => id === operationId)) refuse('there is no such operation')
    if (!isDay(since)) refuse(`${since} is no day`)
    if (sunset !== undefined && !isDay(sunset)) refuse(`${sunset} is no day`)
    // RFC 9745, 4: the sunset must not be earlier than the deprecation.
    if (sunset !== undefined && sunset <= since) refuse('it goes before it was announced')
    if (!guide.startsWith('/docs/')) refuse(`${guide} is no page of the documentation`)
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** What every reply of a deprecated operation has: RFC 9745, RFC 8594 and, in links, RFC 8288. */
export function writeDeprecationHeaders({ since, sunset, guide }: Deprecation): {
  readonly deprecation: string
  readonly sunset?: string
  /** Besides those that the reply has already. */
  readonly link: string
} {
  const deprecation = `@${Date.parse(since) / 1000}`
  const link = `<${guide}>; rel="deprecation"`
  if (sunset === undefined) return { deprecation, link }
  return {
    deprecation,
    sunset: new Date(sunset).toUTCString(),
    link: `${link}, <${guide}>; rel="sunset"`,
  }
}
