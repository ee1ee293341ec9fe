import { Counter, Gauge, type Registry } from 'prom-client'
import type { Chat } from '#chat/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { ModelHealth, Models } from '#models/index.ts'

export interface MeasuredRooms {
  readonly models: Pick<Models, 'health'>
  readonly chat: Pick<Chat, 'underWay'>
  readonly ledger: Pick<Ledger, 'available'>
}

type Health = ModelHealth['upstreams'][number]

const CIRCUITS = ['closed', 'half_open', 'open'] as const

/** What is read from the rooms whenever somebody asks, and costs nothing in between. */
export function measureState(registry: Registry, { models, chat, ledger }: MeasuredRooms): void {
  addGauge(registry, 'parley_exchanges_under_way', {
    help: 'Requests between their admission and their charge',
    read: () => [[{}, chat.underWay()]],
  })
  addGauge(registry, 'parley_store_available', {
    help: '0 from the first failure of the store until a charge is booked again',
    read: () => [[{}, Number(ledger.available())]],
  })
  addGauge(registry, 'parley_brand_enabled', {
    help: '0 where the operator has switched the brand off',
    labelNames: ['brand'],
    read: () =>
      models.health().map(({ model, enabled }) => [{ brand: model.brand }, Number(enabled)]),
  })
  addGauge(registry, 'parley_upstream_circuit', {
    help: '1 for the state that the circuit is in: closed, half_open or open',
    labelNames: ['brand', 'upstream', 'state'],
    read: () =>
      readUpstreams(models, ({ circuit }) =>
        CIRCUITS.map((state) => [{ state }, Number(state === circuit)]),
      ),
  })
  addGauge(registry, 'parley_upstream_under_way', {
    help: 'Requests that an upstream is answering now',
    labelNames: ['brand', 'upstream'],
    read: () => readUpstreams(models, ({ underWay }) => [[{}, underWay]]),
  })
  addCounter(registry, 'parley_upstream_passed_over_total', {
    help: 'Requests that an upstream would have had but for concurrency, rate or rest',
    labelNames: ['brand', 'upstream', 'limit'],
    read: () =>
      readUpstreams(models, ({ passedOver }) =>
        Object.entries(passedOver).map(([limit, count]) => [{ limit }, count]),
      ),
  })
  addCounter(registry, 'parley_upstream_requests_total', {
    help: 'Requests sent to an upstream',
    labelNames: ['brand', 'upstream'],
    read: () => readUpstreams(models, ({ requests }) => [[{}, requests]]),
  })
  addCounter(registry, 'parley_upstream_failures_total', {
    help: "Those of them that failed by the upstream's fault",
    labelNames: ['brand', 'upstream'],
    read: () => readUpstreams(models, ({ failures }) => [[{}, failures]]),
  })
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

interface Figure {
  readonly help: string
  readonly labelNames?: string[]
  readonly read: () => readonly Sample[]
}

/** Reads something of every upstream of every brand. */
function readUpstreams(
  models: MeasuredRooms['models'],
  read: (health: Health) => readonly Sample[],
): Sample[] {
  return models
    .health()
    .flatMap(({ model, upstreams }) =>
      upstreams.flatMap((health) =>
        read(health).map(([labels, value]): Sample => [
          { brand: model.brand, upstream: health.name, ...labels },
          value,
        ]),
      ),
    )
}

function addGauge(registry: Registry, name: string, { help, labelNames = [], read }: Figure): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      // An upstream that is no longer configured must not stay as it was last seen.
      this.reset()
      for (const [labels, value] of read()) this.set(labels, value)
    },
  })
  registry.registerMetric(gauge)
}

/** The rooms count since the start themselves. */
function addCounter(
  registry: Registry,
  name: string,
  { help, labelNames = [], read }: Figure,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset()
      for (const [labels, value] of read()) this.inc(labels, value)
    },
  })
  registry.registerMetric(counter)
}
