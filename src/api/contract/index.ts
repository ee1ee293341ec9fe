import { alertOperations } from './alert-operations.ts'
import { describePublicOperations } from './public-operations.ts'
import { identityOperations } from './identity-operations.ts'
import { consoleOperations } from './console-operations.ts'
import { keyOperations } from './key-operations.ts'
import { ledgerOperations } from './ledger-operations.ts'
import { walletOperations } from './wallet-operations.ts'
import { memberOperations } from './member-operations.ts'
import { ownAccountOperations } from './own-account-operations.ts'
import { ownAuditOperations } from './own-audit-operations.ts'
import { ownKeyOperations } from './own-key-operations.ts'
import { describePlaygroundOperations } from './playground-operations.ts'
import { operatorOperations } from './operator-operations.ts'
import { paymentOperations } from './payment-operations.ts'
import { announce, checkDeprecations, DEPRECATIONS, type Deprecation } from './deprecations.ts'
import { buildOpenapi } from './build-openapi.ts'
import type { Operation } from './operation.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export { CONSOLE_SCREENS, type ConsoleScreen } from './console-screens.ts'
export type { Call, Declaration, Declared } from './declare-operation.ts'
export { writeDeprecationHeaders, type Deprecation } from './deprecations.ts'
export type { Need, Operation } from './operation.ts'
export type { ChatRequest } from './schemas/chat-request.ts'
export type { ChatCompletion, ChatCompletionChunk } from './schemas/chat-reply.ts'
export type { AlertSettings } from './schemas/alert.ts'
export type {
  ConnectedApp,
  ConsoleSettings,
  SessionItem,
  SignedInPerson,
} from './schemas/console.ts'
export type { LedgerTransfer } from './schemas/ledger.ts'
export type { InvitationItem, MemberAccount, MemberItem } from './schemas/member.ts'
export type { ModelItem } from './schemas/model.ts'
export { ErrorBody, FAULTS } from './schemas/error.ts'
export type {
  Account,
  ApiKey,
  AuditEntry,
  CreatedKey,
  Credit,
  ModelState,
  OwnAccount,
  Receipt,
  Verification,
} from './schemas/operator.ts'

export type {
  CreatedOidcClient,
  OidcClient,
  OperatorPerson,
  SigningKey,
  SignInLink,
  TwoFactorReset,
} from './schemas/identity.ts'

export type { ConsoleModel, OwnMovement, OwnStanding, OwnUsage } from './schemas/own-account.ts'

export type { OwnAuditEntry } from './schemas/own-audit.ts'
export type { OwnKey } from './schemas/own-key.ts'

export type { BillingDocument, OpenedTopup, Reconciliation, Topup } from './schemas/payment.ts'

/** All that the service can be asked over HTTP, for a service of this name. */
export type Contract = ReturnType<typeof createContract>

/** What the console asks for: its own surface, and the operator's for those who are one. */
export type ConsoleOperation =
  | Contract['console'][keyof Contract['console']]
  | Contract['operator'][keyof Contract['operator']]

export function createContract(
  serviceName: string,
  deprecations: readonly Deprecation[] = DEPRECATIONS,
) {
  const publicOperations = announce(describePublicOperations(serviceName), deprecations)
  const playground = describePlaygroundOperations(publicOperations)
  const ofConsole = announce(
    {
      ...consoleOperations,
      ...walletOperations,
      ...ownAccountOperations,
      ...ownKeyOperations,
      ...memberOperations,
      ...ownAuditOperations,
    },
    deprecations,
  )
  const operator = announce(
    {
      ...operatorOperations,
      ...keyOperations,
      ...identityOperations,
      ...paymentOperations,
      ...alertOperations,
      ...ledgerOperations,
    },
    deprecations,
  )
  const operations: readonly Operation[] = [
    ...Object.values(publicOperations),
    ...Object.values(operator),
    ...Object.values(ofConsole),
    ...Object.values(playground),
  ]
  checkDeprecations(deprecations, operations)
  return {
    version: packageJson.version,
    public: publicOperations,
    operator,
    console: ofConsole,
    /** Of the console too: it answers as the public surface does. */
    playground,
    operations,
    /** The document, for a service at this origin. */
    openapi: (origin: string) =>
      buildOpenapi({ version: packageJson.version, serviceName, origin, operations }),
  }
}
