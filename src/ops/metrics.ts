import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * All that is measured, in Prometheus' form; names of OpenTelemetry's GenAI conventions where there are
 * such (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/).
 */
export type Metrics = ReturnType<typeof createMetrics>

/** OpenTelemetry's own boundaries, in seconds and in tokens. */
const DURATIONS_S = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
const FIRST_TOKENS_S = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576]
const COMMITS_S = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    ...createRequestMetrics([registry]),
    ...createReplyMetrics([registry]),
    ...createChargeMetrics([registry]),
  }
}

function createRequestMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'parley_requests_total',
      help: 'HTTP requests answered, by surface, brand, status and error code',
      labelNames: ['surface', 'brand', 'status', 'code'],
      registers,
    }),
    refusals: new Counter({
      name: 'parley_refusals_total',
      help: 'Requests that met a limit: requests, tokens, balance, ceiling or key_ceiling',
      labelNames: ['limit'],
      registers,
    }),
    held: new Gauge({
      name: 'parley_held_nanoeuros',
      help: "What this process's live requests hold",
      registers,
    }),
  }
}

function createReplyMetrics(registers: Registry[]) {
  return {
    replies: new Counter({
      name: 'parley_replies_total',
      help: 'Requests that reached an upstream and were settled, by how they ended',
      labelNames: ['brand', 'ended', 'usage_source'],
      registers,
    }),
    durations: new Histogram({
      name: 'gen_ai_server_request_duration_seconds',
      help: 'From the arrival of a request to its charge',
      labelNames: ['gen_ai_request_model'],
      buckets: DURATIONS_S,
      registers,
    }),
    firstTokens: new Histogram({
      name: 'gen_ai_server_time_to_first_token_seconds',
      help: "From the arrival of a request to its upstream's first token",
      labelNames: ['gen_ai_request_model'],
      buckets: FIRST_TOKENS_S,
      registers,
    }),
    tokens: new Histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a reply as they were charged',
      labelNames: ['gen_ai_request_model', 'gen_ai_token_type'],
      buckets: TOKENS,
      registers,
    }),
  }
}

function createChargeMetrics(registers: Registry[]) {
  return {
    charged: new Counter({
      name: 'parley_charged_nanoeuros_total',
      help: 'What accounts were charged',
      labelNames: ['brand'],
      registers,
    }),
    writtenOff: new Counter({
      name: 'parley_written_off_nanoeuros_total',
      help: 'What replies cost beyond what their account had',
      labelNames: ['brand'],
      registers,
    }),
    commits: new Histogram({
      name: 'parley_charge_commit_seconds',
      help: 'How long a reply waited for its charge to be durable',
      buckets: COMMITS_S,
      registers,
    }),
    batches: new Histogram({
      name: 'parley_charge_batch_size',
      help: 'How many charges shared a commit',
      buckets: BATCHES,
      registers,
    }),
    spilled: new Counter({
      name: 'parley_charges_spilled_total',
      help: 'Charges that went to the spill file because the store was away',
      registers,
    }),
    waiting: new Gauge({
      name: 'parley_charges_waiting',
      help: 'Charges in the spill file that are not in the books yet',
      registers,
    }),
  }
}
