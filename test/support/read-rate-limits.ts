import assert from 'node:assert/strict'
import { parseList } from 'structured-headers'
import type { Answer } from './call.ts'

/** The five rate-limit headers of an answer, read as a client would read them. */
export interface RateLimits {
  readonly requests: WindowState
  readonly tokens: WindowState
  readonly limit: number
  readonly remaining: number
  readonly resetS: number
}

export interface WindowState {
  readonly quota: number
  readonly windowS: number
  readonly left: number
  readonly untilResetS: number
}

/** Fails where a header is missing, is not a list of strings (RFC 9651), or is not as agreed. */
export function readRateLimits({ headers }: Pick<Answer, 'headers'>): RateLimits {
  const policy = readStrings(headers.get('ratelimit-policy'))
  const state = readStrings(headers.get('ratelimit'))
  return {
    requests: readWindow('requests', policy[0], state[0]),
    tokens: readWindow('tokens', policy[1], state[1]),
    limit: readInteger(headers.get('x-ratelimit-limit')),
    remaining: readInteger(headers.get('x-ratelimit-remaining')),
    resetS: readInteger(headers.get('x-ratelimit-reset')),
  }
}

type Member = readonly [value: unknown, parameters: ReadonlyMap<string, unknown>]

function readStrings(header: string | null): readonly Member[] {
  assert.ok(header, 'a rate-limit header is missing')
  const members = parseList(header)
  assert.equal(members.length, 2, header)
  for (const [value] of members) assert.equal(typeof value, 'string', header)
  return members
}

function readWindow(name: string, policy?: Member, state?: Member): WindowState {
  assert.equal(policy?.[0], name)
  assert.equal(state?.[0], name)
  const { q, w, qu, ...morePolicy } = Object.fromEntries(policy[1])
  const { r, t, ...moreState } = Object.fromEntries(state[1])
  assert.deepEqual([morePolicy, moreState, qu], [{}, {}, name])
  for (const figure of [q, w, r, t]) {
    assert.ok(Number.isInteger(figure), `${name}: ${String(figure)}`)
  }
  return {
    quota: Number(q),
    windowS: Number(w),
    left: Number(r),
    untilResetS: Number(t),
  }
}

function readInteger(header: string | null): number {
  assert.match(String(header), /^\d+$/)
  return Number(header)
}
