import { Fault } from '#platform/fault.ts'
import type { Removal } from '#identity/index.ts'

/** For what takes more than a session. */
export function refuseUnconfirmed(outcome: Removal | undefined): void {
  switch (outcome?.kind) {
    case undefined:
    case 'removed':
      return
    case 'sign_in_again':
      throw new Fault('sign_in_again', 'Sign in again first: this cannot be undone.')
    case 'last_owner':
      throw new Fault(
        'conflict',
        `You are the last owner of ${outcome.accountIds.join(', ')}, which has other members. Make one of them an owner first, or remove them all.`,
      )
    case 'wrong_password':
      throw new Fault('wrong_password', 'The password is missing or wrong.')
    case 'locked':
      throw new Fault(
        'too_many_attempts',
        'The password was wrong too often. Wait, then try again.',
        {
          retryAfterS: outcome.retryAfterS,
        },
      )
  }
}
