import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../test/support/child-service.ts'
import type { Contestant } from '../contestant.ts'
import { runProcess } from '../run-process.ts'

const PROCESS = fileURLToPath(new URL('../null-proxy-process.ts', import.meta.url))

export const nullProxy: Contestant = {
  name: 'null proxy',
  async start({ directory, upstreams }) {
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const running = await runProcess({
      command: process.execPath,
      args: [PROCESS],
      cwd: directory,
      env: { PORT: String(port), UPSTREAMS: JSON.stringify(upstreams), NODE_ENV: 'production' },
      url: origin,
    })
    return {
      ...running,
      target: (model) => ({ origin, path: `/${model}`, model: 'bench', headers: [{}] }),
      refusals: {},
      findProblems: async () => [],
    }
  },
}
