import type { OwnStanding } from './schemas/own-account.ts'

const NOW = 1_795_219_200_000

const exampleStanding: OwnStanding = {
  account: {
    id: 'acc_019e3a52c1f07a30b1c5d2e8f4a96b70',
    tier: 2,
    balance_eur: '20.00',
    held_eur: '0.00',
    deposits_eur: '20.00',
    spent_today_eur: '0.00',
    daily_ceiling_eur: '5.00',
    suspended: false,
    created_at: NOW,
  },
  windows: {
    requests: { limit: 100, left: 100 },
    tokens: { limit: 200_000, left: 200_000 },
    resets_at: NOW + 60_000,
  },
  ceiling: { eur: '5.00', left_eur: '5.00', resets_at: NOW + 3_600_000 },
  next_tier: {
    tier: 3,
    requests_per_minute: 500,
    tokens_per_minute: 1_000_000,
    from_eur: '100.00',
    have_eur: '20.00',
  },
  blocker: null,
  last_request: null,
  as_of: NOW,
}

/** How an account stands, a sign of life, and the end of the session. */
export const exampleStandingTranscript =
  `retry: 3000\n\nevent: standing\ndata: ${JSON.stringify(exampleStanding)}\n\n` +
  ': keep-alive\n\nevent: signed_out\ndata: {}\n\n'
