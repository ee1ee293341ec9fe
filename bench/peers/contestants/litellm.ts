import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../../test/support/child-service.ts'
import type { Contestant } from '../contestant.ts'
import { install } from '../install.ts'
import { runProcess } from '../run-process.ts'
import type { UpstreamUrls } from '../upstream-process.ts'

const MASTER_KEY = 'sk-of-the-bench'

export const LITELLM_ENV = {
  // What its documentation advises for production.
  LITELLM_MODE: 'PRODUCTION',
  LITELLM_LOG: 'ERROR',
  NO_DOCS: 'True',
  // Prices are taken from the package: none is asked for over the network.
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
} as const

export const litellm: Contestant = {
  name: 'LiteLLM',
  async start({ directory, upstreams }) {
    const installed = installLitellm()
    const config = join(directory, 'config.yaml')
    writeFileSync(config, writeConfig(upstreams))
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const running = await runProcess({
      command: join(installed, 'venv/bin/litellm'),
      args: ['--config', config, '--host', '127.0.0.1', '--port', `${port}`, '--num_workers', '1'],
      cwd: directory,
      env: LITELLM_ENV,
      url: `${origin}/health/liveliness`,
    })
    const ask = (model: string, key: string) => ({
      origin,
      path: '/v1/chat/completions',
      model,
      headers: [{ authorization: `Bearer ${key}` }],
    })
    return {
      ...running,
      target: (model) => ask(model, MASTER_KEY),
      refusals: {},
      findProblems: async () => [],
    }
  },
}

/** Returns where it is. */
export function installLitellm(): string {
  return install('litellm', [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'],
  ])
}

function writeConfig(upstreams: UpstreamUrls): string {
  const models = Object.entries(upstreams).map(([model, url]) => ({
    model_name: model,
    litellm_params: { model: 'openai/bench', api_base: url, api_key: 'unused' },
  }))
  // What is JSON is YAML.
  return JSON.stringify({
    model_list: models,
    general_settings: { master_key: MASTER_KEY },
    litellm_settings: { request_timeout: 600, telemetry: false, set_verbose: false },
  })
}
