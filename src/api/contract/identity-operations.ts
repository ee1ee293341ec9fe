import { Type } from 'typebox'
import { operation } from './operator-operation.ts'
import {
  CreatedOidcClient,
  NewOidcClient,
  NewSignInLink,
  NewSigningKey,
  OidcClient,
  OidcClientChange,
  OperatorPerson,
  PersonChange,
  PersonPage,
  SignInLink,
  SigningKey,
  TwoFactorReset,
  TwoFactorResetWish,
} from './schemas/identity.ts'
import { listOf, Page } from './schemas/operator.ts'

const ClientId = Type.Object({ client_id: Type.String({ maxLength: 100 }) })
const PersonId = Type.Object({ person_id: Type.String({ maxLength: 100 }) })
const Kid = Type.Object({ kid: Type.String({ maxLength: 100 }) })

const newClientExample = {
  name: 'Example Chat',
  kind: 'confidential',
  redirect_uris: ['https://chat.example.com/callback'],
}

/** The operator's surface, where it is about people and the apps that they sign in to. */
export const identityOperations = {
  createClient: operation('createClient', 'post', '/clients', {
    summary: 'Register an app that people can sign in to; its secret is shown this once',
    body: [NewOidcClient, newClientExample],
    replies: { 201: ['The client.', CreatedOidcClient] },
  }),
  listClients: operation('listClients', 'get', '/clients', {
    summary: 'List clients, newest first',
    query: Page,
    replies: { 200: ['A page of clients.', listOf(OidcClient, 'ClientList')] },
  }),
  getClient: operation('getClient', 'get', '/clients/{client_id}', {
    summary: 'One client',
    params: ClientId,
    replies: { 200: ['The client.', OidcClient] },
    faults: ['not_found'],
  }),
  updateClient: operation('updateClient', 'patch', '/clients/{client_id}', {
    summary: "Change a client's name or where it has people sent back to",
    params: ClientId,
    body: [OidcClientChange, { redirect_uris: ['https://chat.example.com/signed-in'] }],
    replies: { 200: ['The client as it is now.', OidcClient] },
    faults: ['not_found'],
  }),
  rotateClientSecret: operation('rotateClientSecret', 'post', '/clients/{client_id}/secret', {
    summary: 'Make a new secret, shown this once; the old one stops at once',
    params: ClientId,
    replies: { 201: ['The client with its new secret.', CreatedOidcClient] },
    faults: ['not_found', 'conflict'],
  }),
  deleteClient: operation('deleteClient', 'delete', '/clients/{client_id}', {
    summary: 'Delete a client: its tokens and consents end at once',
    params: ClientId,
    replies: { 204: ['Deleted.', undefined] },
    faults: ['not_found'],
  }),
  listPeople: operation('listPeople', 'get', '/people', {
    summary: 'List people, newest first',
    query: PersonPage,
    replies: { 200: ['A page of people.', listOf(OperatorPerson, 'PersonList')] },
  }),
  getPerson: operation('getPerson', 'get', '/people/{person_id}', {
    summary: 'One person',
    params: PersonId,
    replies: { 200: ['The person.', OperatorPerson] },
    faults: ['not_found'],
  }),
  updatePerson: operation('updatePerson', 'patch', '/people/{person_id}', {
    summary: 'Make a person an operator, or a customer again',
    params: PersonId,
    body: [PersonChange, { role: 'operator' }],
    replies: { 200: ['The person as they are now.', OperatorPerson] },
    faults: ['not_found'],
  }),
  removePerson: operation('removePerson', 'delete', '/people/{person_id}', {
    summary: 'Forget a person for good: their accounts are suspended, their keys revoked',
    params: PersonId,
    replies: { 204: ['Forgotten.', undefined] },
    faults: ['not_found', 'conflict'],
  }),
  resetTwoFactor: operation('resetTwoFactor', 'post', '/people/{person_id}/reset-two-factor', {
    summary: 'Take a lost second factor away; the person is signed out everywhere and told by mail',
    params: PersonId,
    body: [TwoFactorResetWish, { passkeys: false }],
    replies: { 200: ['What was taken away.', TwoFactorReset] },
    faults: ['not_found', 'conflict'],
  }),
  signPersonOut: operation('signPersonOut', 'post', '/people/{person_id}/sign-out', {
    summary: 'Sign a person out everywhere: their sessions, and what apps hold of theirs',
    params: PersonId,
    replies: { 204: ['Signed out.', undefined] },
    faults: ['not_found'],
  }),
  createSignInLink: operation('createSignInLink', 'post', '/people/{person_id}/sign-in-links', {
    summary: 'Make a link that signs a person in, once; it is shown this once',
    params: PersonId,
    body: [NewSignInLink, { expires_in_s: 900 }],
    replies: { 201: ['The link.', SignInLink] },
    faults: ['not_found', 'conflict'],
  }),
  listSigningKeys: operation('listSigningKeys', 'get', '/signing-keys', {
    summary: 'The keys that sign id tokens, the newest first',
    replies: { 200: ['The keys.', listOf(SigningKey, 'SigningKeyList')] },
  }),
  rotateSigningKey: operation('rotateSigningKey', 'post', '/signing-keys', {
    summary: 'Make a key that signs id tokens after a while',
    body: [NewSigningKey, { signs_after_s: 3_600 }],
    replies: { 201: ['The key.', SigningKey] },
    faults: ['conflict'],
  }),
  dropSigningKey: operation('dropSigningKey', 'delete', '/signing-keys/{kid}', {
    summary: 'Drop a key that does not sign: what it signed is refused at once',
    params: Kid,
    replies: { 204: ['Dropped.', undefined] },
    faults: ['not_found', 'conflict'],
  }),
} as const
