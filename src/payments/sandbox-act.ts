/** What can be played on the sandbox's page: what a buyer does, and then what banks do. */
export const SANDBOX_ACTS = [
  'pay',
  'pay_later',
  'decline',
  'expire',
  'arrive',
  'fail',
  'refund_half',
  'refund',
  'dispute',
  'dispute_won',
  'dispute_lost',
] as const
export type SandboxAct = (typeof SANDBOX_ACTS)[number]
