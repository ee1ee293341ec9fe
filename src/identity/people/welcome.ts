import type { Persons } from '#accounts/index.ts'
import type { CreditedAddresses } from './credited-addresses.ts'

export interface WelcomeTools {
  readonly persons: Persons
  readonly creditedAddresses: CreditedAddresses
}

/**
 * Gives who has shown that an address is theirs an account, and the free credit if it had none. Done
 * again at each sign-in: what a crash left out after the address was verified is given then.
 */
export function createWelcome({ persons, creditedAddresses }: WelcomeTools) {
  return async ({ id, email }: { readonly id: string; readonly email: string }): Promise<void> => {
    const credit = await creditedAddresses.claim(email, id)
    await persons.ensureAccount(id, { credit })
  }
}
