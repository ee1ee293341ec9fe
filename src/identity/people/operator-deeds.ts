import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Actor, Deed, Person, Persons, TwoFactorLoss } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import type { CreditedAddresses } from './credited-addresses.ts'
import type { LockOut } from './lock-out.ts'
import { forgetPerson, type Forgetting } from './remove-person.ts'
import { resetTwoFactor } from './reset-two-factor.ts'
import type { SendMail } from './send-mail.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'

/** What operators do to people, who must exist. None of it loads what is heavy. */
export interface OperatorDeeds {
  /** Ends a person's sessions and all that apps hold of theirs. */
  signOutEverywhere(personId: string, actor: Actor): Promise<void>
  /** Forgets a person, and tells them by mail; not the last owner of an account that others are in. */
  removePerson(person: Addressee, actor: Actor): Promise<Forgetting>
  /**
   * For who has lost their second factor: takes it away, signs them out, and tells them by mail. Undefined
   * where there was none.
   */
  resetTwoFactor(
    person: Addressee,
    wish: { readonly passkeys: boolean },
    actor: Actor,
  ): Promise<TwoFactorLoss | undefined>
}

type Addressee = Pick<Person, 'id' | 'email'>

export interface OperatorDeedsOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  readonly lockOut: LockOut
  readonly creditedAddresses: CreditedAddresses
  readonly sendMail: SendMail
}

export function createOperatorDeeds(options: OperatorDeedsOptions): OperatorDeeds {
  const { db, clock, sendMail } = options
  const by = (actor: Actor): Deed => ({ actor, atMs: clock.nowMs() })
  return {
    signOutEverywhere: (personId, actor) => signOutEverywhere(db, personId, by(actor)),
    async removePerson(person, actor) {
      const forgetting = await forgetPerson(options, person, actor)
      if (forgetting.kind === 'removed') {
        sendMail({ kind: 'account_removed_by_operator', to: person.email, headers: undefined })
      }
      return forgetting
    },
    async resetTwoFactor({ id, email }, wish, actor) {
      const loss = await resetTwoFactor(db, id, wish, by(actor))
      if (loss) sendMail({ kind: 'two_factor_reset', to: email, headers: undefined })
      return loss
    },
  }
}
