import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import { findFreePort } from '../support/child-service.ts'
import { findOnPath } from '../support/find-on-path.ts'
import { SELF_SIGNED } from '../support/self-signed.ts'

/** A real nginx that runs the files of deploy/nginx, on free loopback ports. */
export interface Nginx {
  /** By https, where callers come in. */
  readonly origin: string
  /** By http, which sends on to https. */
  readonly plainOrigin: string
  /** Trusts its certificate; from another loopback address where one is told. */
  agent(localAddress?: string): Agent
  /** A line a request that went to a replica: status, method, address, and which replicas had it. */
  readLog(): readonly string[]
  /** Its error log. */
  readComplaints(): string
  close(): Promise<void>
}

/** Where it is not, these tests are passed over; in CI only where it said that none can be had. */
export const NO_NGINX = 'no nginx: install the package "nginx-light"'

/** Not every user's PATH has the programs of the system. */
const binary = findOnPath(['nginx'], `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`)
const { CI, PARLEY_NGINX } = process.env
export const isPassedOver = binary === undefined && (CI !== 'true' || PARLEY_NGINX === 'none')

const FILES = join(import.meta.dirname, '../../deploy/nginx')
const PATIENCE_MS = 10_000

export interface NginxOptions {
  /** Where it listens for https. */
  readonly port: number
  /** Where the replicas listen. */
  readonly replicas: readonly [number, number]
  /** In place of ten seconds: tests are in more of a hurry. */
  readonly failTimeoutS: number
}

export async function startNginx(options: NginxOptions): Promise<Nginx> {
  assert.ok(binary !== undefined, NO_NGINX)
  const home = mkdtempSync(join(tmpdir(), 'parley-nginx-'))
  const plainPort = await findFreePort()
  writeFiles(home, { ...options, plainPort })
  const child = spawn(binary, ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const agents: Agent[] = []
  await waitUntilListening(plainPort, () => assert.equal(child.exitCode, null, said))
  return {
    origin: `https://127.0.0.1:${options.port}`,
    plainOrigin: `http://127.0.0.1:${plainPort}`,
    agent(localAddress) {
      const made = new Agent({
        connect: { ca: SELF_SIGNED.cert },
        ...(localAddress !== undefined && { localAddress }),
      })
      agents.push(made)
      return made
    },
    readLog: () => readFileSync(join(home, 'access.log'), 'utf8').split('\n').slice(0, -1),
    readComplaints: () => said,
    async close() {
      await Promise.all(agents.map((one) => one.destroy()))
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function writeFiles(home: string, options: NginxOptions & { readonly plainPort: number }): void {
  const { port, plainPort, replicas, failTimeoutS } = options
  const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')]
  writeFileSync(cert, SELF_SIGNED.cert)
  writeFileSync(key, SELF_SIGNED.key)
  writeFileSync(join(home, 'nginx.conf'), writeMain(home))
  const parley = settle('parley.conf', {
    '    listen [::]:80;\n': '',
    '    listen [::]:443 ssl;\n': '',
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/etc/letsencrypt/live/api.example.com/fullchain.pem': cert,
    '/etc/letsencrypt/live/api.example.com/privkey.pem': key,
  })
  writeFileSync(join(home, 'parley.conf'), parley)
  const upstream = settle('replicas.conf', {
    '127.0.0.1:8081 max_fails=1 fail_timeout=10s': `127.0.0.1:${replicas[0]} max_fails=1 fail_timeout=${failTimeoutS}s`,
    '127.0.0.1:8082 max_fails=1 fail_timeout=10s': `127.0.0.1:${replicas[1]} max_fails=1 fail_timeout=${failTimeoutS}s`,
  })
  writeFileSync(join(home, 'replicas.conf'), upstream)
}

/** The file as it is shipped, but for what only one machine can have. */
function settle(file: string, places: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(FILES, file), 'utf8')
  for (const [there, here] of Object.entries(places)) {
    assert.equal(text.split(there).length, 2, `${file} has "${there}" not once`)
    text = text.replace(there, here)
  }
  return text
}

/** What a distribution brings. The two workers share what they learn of the replicas. */
function writeMain(home: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 2;
pid ${home}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  default_type application/octet-stream;
  log_format tried '$status $request_method $uri $upstream_addr';
  access_log ${home}/access.log tried;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  include ${home}/replicas.conf;
  include ${home}/parley.conf;
}
`
}

async function waitUntilListening(port: number, check: () => void): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      async (response) => response.text().then(() => true),
      () => false,
    )
    if (answered) return
    check()
    assert.ok(performance.now() < deadline, 'nginx does not listen')
    await delay(20)
  }
}
