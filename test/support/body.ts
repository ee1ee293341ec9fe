import type {
  Account,
  ApiKey,
  AuditEntry,
  BillingDocument,
  ChatCompletion,
  ChatCompletionChunk,
  ConnectedApp,
  ConsoleSettings,
  CreatedKey,
  CreatedOidcClient,
  Credit,
  ErrorBody,
  ConsoleModel,
  InvitationItem,
  MemberAccount,
  MemberItem,
  ModelItem,
  ModelState,
  OidcClient,
  OpenedTopup,
  OperatorPerson,
  OwnAccount,
  OwnKey,
  OwnMovement,
  OwnStanding,
  OwnUsage,
  Receipt,
  Reconciliation,
  SessionItem,
  SigningKey,
  SignedInPerson,
  SignInLink,
  Topup,
  Verification,
} from '#api/contract/index.ts'

/**
 * A JSON body as it came over the wire: all bodies of the contract laid over each other, so that a
 * test reads a field by its name alone. Every answer has been held against the document before, and
 * a field that its operation does not have is undefined: the assertion beside it fails.
 */
export interface Body extends Overlay<Single> {
  choices: [Choice]
  data: Rows<Overlay<Item>>
  next_cursor: string | null
}

/** One event of a stream. */
export interface Chunk extends Omit<ChatCompletionChunk, 'choices' | 'usage'> {
  choices: [ChatCompletionChunk['choices'][number]]
  usage: NonNullable<ChatCompletionChunk['usage']>
}

/** A list of which a test reads a place that it knows to be there. */
export interface Rows<Row> extends ReadonlyArray<Row> {
  readonly 0: Row
  at(index: number): Row
}

type WireChoice = ChatCompletion['choices'][number]
type Choice = Omit<WireChoice, 'message'> & { message: Required<WireChoice['message']> }

type Item =
  | Account
  | ApiKey
  | AuditEntry
  | ConsoleModel
  | ModelItem
  | ModelState
  | OidcClient
  | OperatorPerson
  | OwnKey
  | OwnMovement
  | Receipt
  | SigningKey
  | Topup
  | BillingDocument
  | ConnectedApp
  | SessionItem
  | MemberAccount
  | MemberItem
  | InvitationItem
type Single =
  | ApiKey
  | OwnKey
  | Account
  | ConsoleSettings
  | CreatedKey
  | CreatedOidcClient
  | Credit
  | ErrorBody
  | ModelState
  | OperatorPerson
  | OwnAccount
  | OwnStanding
  | OwnUsage
  | Receipt
  | SigningKey
  | SignInLink
  | Verification
  | Reconciliation
  | OpenedTopup
  | SignedInPerson
  | Omit<ChatCompletion, 'choices'>

type NameIn<Shape> = Shape extends unknown ? keyof Shape : never
type Field<Shape, Name extends PropertyKey> =
  Shape extends Partial<Record<Name, infer Value>> ? Value : never
type Overlay<Shape> = { [Name in NameIn<Shape>]: Field<Shape, Name> }
