import { compareSchemas, type Breach, type Direction } from './compare-schemas.ts'
import { keepPromises } from './keep-promises.ts'
import {
  linkReferences,
  type Content,
  type Media,
  type OpenapiDocument,
  type Operation,
  type Parameter,
  type Reply,
} from './openapi-document.ts'

/** Where new models show in answers: the contract says that they may come within v1. */
const GROWING: readonly RegExp[] = [
  /^POST \/v1\/chat\/\{brand\}: 200 \S+ model: "[^"]+" may come now$/,
  /^GET \/v1\/models: 200 \S+ data\[\]\.(id|endpoint): "[^"]+" may come now$/,
]

/** All that a client of the released document may find broken in the current one, a line each. */
export function findBreakingChanges(released: OpenapiDocument, current: OpenapiDocument): string[] {
  const before = linkReferences(keepPromises(released))
  const after = linkReferences(keepPromises(current))
  const breaches = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const place = `${method.toUpperCase()} ${path}: `
      const is = after.paths[path]?.[method]
      if (!is) return [{ place, change: 'is gone' }]
      return RULES.flatMap((compare) => compare(was, is, { before, after }, place))
    }),
  )
  const lines = breaches.map(({ place, change }) => `${place.replace(/[: ]+$/, '')}: ${change}`)
  return [...new Set(lines)].filter((line) => !GROWING.some((growing) => growing.test(line)))
}

interface Documents {
  readonly before: OpenapiDocument
  readonly after: OpenapiDocument
}

type Rule = (was: Operation, is: Operation, documents: Documents, place: string) => Breach[]

const RULES: readonly Rule[] = [
  compareNames,
  compareSecurity,
  compareParameters,
  compareRequests,
  compareReplies,
]

/** Generated clients name their methods by it. */
function compareNames(...[was, is, , place]: Parameters<Rule>): Breach[] {
  if (was.operationId === is.operationId) return []
  return [{ place, change: `operationId was ${was.operationId}, is ${is.operationId}` }]
}

/** Each way in stays open, and means what it meant. No way at all is open to everybody. */
function compareSecurity(...[was, is, documents, place]: Parameters<Rule>): Breach[] {
  if (!is.security?.length) return []
  const kept = new Set(is.security.map((one) => describeWay(one, documents.after)))
  const ways = was.security?.length ? was.security : [{}]
  return ways
    .filter((one) => !kept.has(describeWay(one, documents.before)))
    .map((one) => ({ place, change: `${Object.keys(one).join() || 'no key'} no longer opens it` }))
}

function describeWay(way: object, { components }: OpenapiDocument): string {
  const schemes = Object.entries(way).map(([name, scopes]) => {
    return [components.securitySchemes?.[name], scopes]
  })
  return JSON.stringify(schemes)
}

function compareParameters(...[was, is, , place]: Parameters<Rule>): Breach[] {
  const { parameters: before = [] } = was
  const { parameters: after = [] } = is
  const added = after.filter((one) => one.required && !findParameter(before, one))
  return [
    ...added.map((one) => ({ place: placeOf(place, one), change: 'is required now' })),
    ...before.flatMap((old) => {
      const parameter = findParameter(after, old)
      const here = placeOf(place, old)
      if (!parameter) return [{ place: here, change: 'is gone' }]
      const needed = parameter.required && !old.required
      return [
        ...(needed ? [{ place: here, change: 'is required now' }] : []),
        ...compareMedia(old, parameter, 'asked', here),
      ]
    }),
  ]
}

function findParameter(list: readonly Parameter[], wanted: Parameter): Parameter | undefined {
  return list.find((one) => one.in === wanted.in && one.name === wanted.name)
}

function placeOf(place: string, parameter: Parameter): string {
  return `${place}${parameter.in} ${parameter.name}`
}

function compareRequests(...[was, is, , place]: Parameters<Rule>): Breach[] {
  const needed = is.requestBody?.required && !was.requestBody?.required
  const content = compareContent(was.requestBody?.content, is.requestBody?.content, 'asked', place)
  return needed ? [{ place, change: 'a body is required now' }, ...content] : content
}

function compareReplies(...[was, is, , place]: Parameters<Rule>): Breach[] {
  const added = Object.keys(is.responses).filter(
    (status) => Number(status) < 400 && !was.responses[status],
  )
  return [
    ...added.map((status) => ({ place: `${place}${status}`, change: 'may come now' })),
    ...Object.entries(was.responses).flatMap(([status, reply]) => {
      const after = is.responses[status]
      if (!after) return [{ place: `${place}${status}`, change: 'is gone' }]
      return compareReply(reply, after, `${place}${status} `)
    }),
  ]
}

function compareReply(was: Reply, is: Reply, place: string): Breach[] {
  const headers = Object.entries(was.headers ?? {}).flatMap(([name, header]) => {
    const after = is.headers?.[name]
    const here = `${place}header ${name}`
    if (!after) return [{ place: here, change: 'is gone' }]
    return compareMedia(header, after, 'answered', here)
  })
  return [...headers, ...compareContent(was.content, is.content, 'answered', place)]
}

function compareContent(
  was: Content = {},
  is: Content = {},
  direction: Direction,
  place: string,
): Breach[] {
  return Object.entries(was).flatMap(([type, media]) => {
    const after = is[type]
    if (!after) return [{ place: `${place}${type}`, change: 'is gone' }]
    return [
      ...compareMedia(media, after, direction, `${place}${type} `),
      ...compareCodes(media, after, `${place}${type}`),
    ]
  })
}

function compareMedia(
  was: Pick<Media, 'schema'>,
  is: Pick<Media, 'schema'>,
  direction: Direction,
  place: string,
): Breach[] {
  return compareSchemas({ before: was.schema, after: is.schema, direction, place })
}

/** Refusals have an example for each code; other examples are prose, and `keepPromises` leaves them out. */
function compareCodes(was: Media, is: Media, place: string): Breach[] {
  return Object.keys(was.examples ?? {})
    .filter((code) => !(code in (is.examples ?? {})))
    .map((code) => ({ place, change: `the code ${code} is gone` }))
}
