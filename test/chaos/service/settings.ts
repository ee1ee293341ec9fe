/** What driver and service agree on. Times are short, so that a round meets every one of them. */
export const TIMES = {
  keepAliveMs: 150,
  patienceMs: 150,
  upstream: { connectTimeoutMs: 1_000, timeoutMs: 1_000, idleTimeoutMs: 500 },
  // By the service's own clock, which the driver moves some seconds ahead each real second.
  circuit: { failures: 5, windowMs: 30_000, coolDownMs: 1_000 },
} as const
