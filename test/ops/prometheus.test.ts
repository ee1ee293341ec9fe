import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import { findFault } from '../docs/read-links.ts'
import { findFreePort, startChildService } from '../support/child-service.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { findPrometheus, NO_PROMETHEUS } from './find-prometheus.ts'
import { fillIn, listExpressions, readDashboard } from './read-dashboard.ts'
import { startPrometheus } from './start-prometheus.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/prometheus')
const scope = { after }
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string
    readonly exp_alerts: readonly unknown[]
  }[]
}

const { groups } = parse(read('deploy/prometheus/parley-alerts.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const dashboard = readDashboard()

/** What a process tells of itself that neither a panel nor an alert needs. */
const UNUSED = [
  /^nodejs_active_/,
  /^nodejs_eventloop_lag_(min|max|mean|stddev|p50|p90)_seconds$/,
  /^nodejs_eventloop_lag_seconds$/,
  /^nodejs_heap_size_total_bytes$/,
  /^nodejs_heap_space_/,
  /^nodejs_version_info$/,
  /^process_(heap|virtual_memory)_bytes$/,
  /^process_cpu_(system|user)_seconds_total$/,
]

const failing = await startFakeUpstream()
failing.play({ fault: { kind: 'status', status: 500 } })
const good = await startFakeUpstream()
good.play({ content: 'one two three' })
after(() => Promise.all([failing.close(), good.close()]))
const opsPort = await findFreePort()
const service = await startWatchedService()
after(() => service.child.kill())

/** One upstream that fails stands before another that does not. */
async function startWatchedService() {
  const dataDir = makeTemporaryDirectory(scope)
  const upstreams = [failing, good].map(({ url }, index) => ({
    name: `upstream-${index}`,
    kind: 'openai',
    url,
    model: 'fake-model',
  }))
  const models = { air: { upstreams }, prime: { upstreams }, nova: { upstreams } }
  writeFileSync(join(dataDir, 'parley.yaml'), JSON.stringify({ models }))
  return startChildService({ dataDir, env: { PARLEY_OPS_PORT: `${opsPort}` } })
}

/** Replies, whole and streamed, refusals and failures, until it is told to stop. */
async function makeTraffic(signal: AbortSignal): Promise<void> {
  const { key } = await service.openAccount('ada')
  const barred = await service.openAccount('eve')
  await service.operate('PATCH', `/accounts/${barred.accountId}`, { daily_ceiling_eur: '0.00' })
  const body = { messages: [{ role: 'user', content: 'Hello!' }] }
  const ask = async (brand: string, stream = false, by = key): Promise<void> => {
    const reply = await fetch(`${service.origin}/v1/chat/${brand}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream }),
    })
    await reply.text()
  }
  while (!signal.aborted) {
    await Promise.all([
      ...['air', 'prime', 'nova'].flatMap((brand) => [ask(brand), ask(brand, true)]),
      ask('air', false, barred.key),
      ask('air', false, 'svc_live_wrong'),
    ])
    // Slowly enough for limits, often enough for each second.
    await delay(200)
  }
}

/** Labels that begin like a metric. */
const LABEL = /^gen_ai_(request_model|token_type)$/

/** The names of all that is told. */
async function readNames() {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return {
    metrics: new Set(types.map(([, name = '']) => name)),
    histograms: new Set(types.filter(([, , type]) => type === 'histogram').map(([, name]) => name)),
  }
}

test('all that is told is shown or watched, or left out for a reason; and nothing else is asked for', async () => {
  await (await fetch(`${service.origin}/v1/models`)).text()
  const { metrics, histograms } = await readNames()
  const asked = [
    ...listExpressions(dashboard).map(([, one]) => one),
    ...rules.map(({ expr }) => expr),
  ]
    .flatMap((expression) => expression.match(/\b(?:parley|gen_ai|nodejs|process)_\w+/g) ?? [])
    .filter((name) => !LABEL.test(name))
    .map((name) => {
      const base = name.replace(/_(bucket|sum|count)$/, '')
      return histograms.has(base) ? base : name
    })
  const unknown = asked.filter((name) => !metrics.has(name))
  assert.deepEqual(unknown, [])
  const unused = [...metrics].filter((name) => !asked.includes(name))
  const unexplained = unused.filter((name) => !UNUSED.some((pattern) => pattern.test(name)))
  assert.deepEqual(unexplained, [])
  const stale = UNUSED.filter((pattern) => !unused.some((name) => pattern.test(name)))
  assert.deepEqual(stale, [])
  const guide = read('docs/operate/monitor.md')
  const untold = [...metrics].filter(
    (name) => /^(parley|gen_ai)_/.test(name) && !guide.includes(name),
  )
  assert.deepEqual(untold, [])
})

test('the dashboard is one that Grafana imports: a data source of one’s own, panels in rows', () => {
  assert.ok(dashboard.schemaVersion >= 36)
  assert.equal('id' in dashboard, false, 'which would overwrite another one')
  const { list } = dashboard.templating
  assert.deepEqual(
    list.map(({ name, type }) => `${name}: ${type}`),
    ['datasource: datasource', 'job: query', 'instance: query'],
  )
  const { panels } = dashboard
  assert.equal(panels[0]?.type, 'row')
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { title, type, gridPos, datasource, targets = [] } of panels) {
    if (type === 'row') assert.equal(targets.length, 0)
    else assert.match(datasource?.uid ?? '', /^\$\{datasource\}$/, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${title} lies on another panel`)
        taken.add(`${x} ${y}`)
      }
    }
  }
})

test('every panel has something to show, in a real Prometheus, of a service under traffic', async (t) => {
  const prometheus = findPrometheus()
  if (!prometheus) return t.skip(NO_PROMETHEUS)
  const { query } = await startPrometheus(t, prometheus.server, `127.0.0.1:${opsPort}`)
  const enough = new AbortController()
  const traffic = makeTraffic(enough.signal)
  let missing = listExpressions(dashboard)
  const deadlineMs = performance.now() + 40_000
  while (missing.length > 0 && performance.now() < deadlineMs) {
    await delay(250)
    const found = await Promise.all(missing.map(([, one]) => query(fillIn(one))))
    missing = missing.filter(
      (_one, index) => !found[index]?.some((figure) => Number.isFinite(figure)),
    )
  }
  enough.abort()
  await traffic
  assert.deepEqual(missing, [])
})

test('the rules and the sample are what Prometheus takes, and each alert fires when it should', (t) => {
  const prometheus = findPrometheus()
  if (!prometheus) return t.skip(NO_PROMETHEUS)
  const promtool = (...args: readonly string[]): string =>
    execFileSync(prometheus.promtool, args, { cwd: folder, encoding: 'utf8' })
  assert.match(promtool('check', 'config', 'prometheus.yml'), /is valid prometheus config file/)
  assert.match(promtool('check', 'rules', 'parley-alerts.yaml'), /SUCCESS: \d+ rules found/)
  assert.match(promtool('test', 'rules', 'parley-alerts.test.yaml'), /SUCCESS/)
})

test('each alert is tried before it should fire and when it should, and says what to do', () => {
  const { tests } = parse(read('deploy/prometheus/parley-alerts.test.yaml')) as {
    readonly tests: readonly RuleTest[]
  }
  const tried = tests.flatMap((one) => one.alert_rule_test)
  for (const { alert, labels, annotations } of rules) {
    const cases = tried.filter(({ alertname }) => alertname === alert)
    assert.ok(
      cases.some(({ exp_alerts: expected }) => expected.length === 0),
      `${alert}: not yet`,
    )
    assert.ok(
      cases.some(({ exp_alerts: expected }) => expected.length === 1),
      `${alert}: now`,
    )
    assert.match(labels.severity, /^(critical|warning|info)$/)
    assert.ok(annotations['summary'] && annotations['description'])
    const runbook = annotations['runbook_url'] ?? ''
    assert.match(runbook, /^docs\/operate\/runbooks\.md#./)
    assert.equal(findFault('README.md', runbook), undefined, runbook)
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
})
