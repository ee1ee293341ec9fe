import { join } from 'node:path'
import { findFreePort } from '../../../test/support/child-service.ts'
import type { Contestant } from '../contestant.ts'
import { install } from '../install.ts'
import { runProcess } from '../run-process.ts'

export const portkey: Contestant = {
  name: 'Portkey',
  async start({ directory, upstreams }) {
    const installed = install('portkey', [['npm', 'install', '--no-audit', '--no-fund']])
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const running = await runProcess({
      command: process.execPath,
      args: [
        join(installed, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
        '--headless',
        `--port=${port}`,
      ],
      cwd: directory,
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
      url: origin,
    })
    return {
      ...running,
      target: (model) => ({
        origin,
        path: '/v1/chat/completions',
        model: 'bench',
        headers: [
          {
            authorization: 'Bearer unused',
            'x-portkey-provider': 'openai',
            'x-portkey-custom-host': upstreams[model],
          },
        ],
      }),
      // The open-source gateway knows neither keys nor limits.
      refusals: {},
      findProblems: async () => [],
    }
  },
}
