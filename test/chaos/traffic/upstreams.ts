import {
  lyingUsages,
  startFakeUpstream,
  type ChatBody,
  type FakeUpstream,
  type Reply,
} from '../../support/fake-upstream/index.ts'
import type { Random } from '../../support/random.ts'
import { HONEST_PROMPT_TOKENS, TOPICS } from './topics.ts'

/** What is wrong with the upstreams for a while. */
export type Mood = 'resets' | 'hangs' | 'lies' | 'overruns'

/** Two model servers, the second for when the first fails; both in the same mood. */
export interface Upstreams {
  readonly urls: readonly string[]
  /** How many requests they have had. */
  count(): number
  /** Chance decides how each reply of the round turns out. */
  follow(random: Random): void
  begin(mood: Mood): void
  end(mood: Mood): void
  close(): Promise<void>
}

/** In a mood, so many of a hundred replies show it. */
const MOODY_PERCENT = 60

export async function startUpstreams(): Promise<Upstreams> {
  const fakes: FakeUpstream[] = []
  let random: Random | undefined
  const moods = new Set<Mood>()
  let requests = 0

  function choose(body: ChatBody): Reply {
    requests += 1
    if (!random) return {}
    const wanted = TOPICS[String(body.messages?.at(-1)?.content)]
    if (wanted) return wanted()
    const honest = planHonestReply(random, body.max_tokens ?? 1)
    if (moods.size === 0 || random.between(1, 100) > MOODY_PERCENT) return honest
    return spoil(honest, random.pick([...moods]), random)
  }

  for (let count = 0; count < 2; count += 1) {
    const fake = await startFakeUpstream({ recordLimit: 0 })
    fake.play(({ body }) => choose(body))
    fakes.push(fake)
  }
  return {
    urls: fakes.map(({ url }) => url),
    count: () => requests,
    follow(next) {
      random = next
    },
    begin: (mood) => void moods.add(mood),
    end: (mood) => void moods.delete(mood),
    async close() {
      await Promise.all(fakes.map((fake) => fake.close()))
    },
  }
}

/** Half of them use all that they were allowed, as they may: then what was held is what it costs. */
function planHonestReply(random: Random, maxTokens: number): Reply {
  const words = random.between(3, 30)
  const completionTokens = random.between(0, 1) === 0 ? maxTokens : Math.min(words, maxTokens)
  return {
    content: 'word '.repeat(words).trim(),
    usage: { promptTokens: HONEST_PROMPT_TOKENS, completionTokens },
    ...(random.between(0, 3) > 0 && { pace: { beforeDeltaMs: random.between(1, 12) } }),
  }
}

function spoil(reply: Reply, mood: Mood, random: Random): Reply {
  const at = random.pick(['before-head', 'after-head', 'after-delta-1', 'after-finish'] as const)
  switch (mood) {
    case 'resets':
      return { ...reply, fault: { kind: random.pick(['reset', 'cut'] as const), at } }
    case 'hangs':
      return { ...reply, fault: { kind: 'hang', at } }
    case 'lies':
      return { ...reply, usage: random.pick(LIES) }
    case 'overruns':
      return {
        fault: { kind: 'overrun', extraTokens: random.between(1, 400) },
        usage: random.pick(['none', { promptTokens: HONEST_PROMPT_TOKENS, completionTokens: 2 }]),
      }
  }
}

/** Too little, too much, and what is no figure at all. */
const LIES: readonly NonNullable<Reply['usage']>[] = [
  { promptTokens: HONEST_PROMPT_TOKENS, completionTokens: 1 },
  { promptTokens: 90_000, completionTokens: 40 },
  { promptTokens: 3, completionTokens: 1_000_000 },
  'none',
  'zero',
  ...Object.values(lyingUsages),
]
