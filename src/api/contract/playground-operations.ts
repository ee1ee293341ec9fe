import { Type } from 'typebox'
import { faultsOf } from './console-operation.ts'
import type { Operation } from './operation.ts'
import type { describePublicOperations } from './public-operations.ts'

/** Chat for a person who is signed in: as the public operation, with the session in place of a key. */
export function describePlaygroundOperations({
  chatCompletion,
}: ReturnType<typeof describePublicOperations>) {
  return {
    ownChat: {
      ...chatCompletion,
      id: 'ownChat',
      path: '/console/api/accounts/{account_id}/chat/{brand}',
      tag: 'console',
      auth: 'session',
      summary: "Take a conversation and return the model's reply, billed to an own account",
      description: `${chatCompletion.description} What the gate has counted has its rate-limit headers too.`,
      // Of what comes before the gate there are no others.
      headers: ['x-request-id'],
      params: Type.Object({
        account_id: Type.String({ maxLength: 100 }),
        ...chatCompletion.params.properties,
      }),
      need: 'chat',
      faults: [...chatCompletion.faults, 'not_signed_in', 'foreign_origin', ...faultsOf('chat')],
    } as const satisfies Operation,
  }
}
