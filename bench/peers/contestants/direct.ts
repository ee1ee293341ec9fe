import type { Contestant } from '../contestant.ts'

/** Nobody: the load goes to the upstream. */
export const direct: Contestant = {
  name: 'direct',
  start: async ({ upstreams }) => ({
    startMs: undefined,
    target(model) {
      const { origin, pathname } = new URL(upstreams[model])
      return { origin, path: `${pathname}/chat/completions`, model: 'bench', headers: [{}] }
    },
    refusals: {},
    cpuMs: () => NaN,
    residentMiB: () => NaN,
    findProblems: async () => [],
    stop: async () => {},
  }),
}
