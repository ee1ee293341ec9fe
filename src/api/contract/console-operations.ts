import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import {
  ConnectedAppList,
  ConsoleSettings,
  PersonalData,
  PersonalDataWish,
  PersonRemoval,
  SessionList,
  SignedInPerson,
} from './schemas/console.ts'

const ConnectedClientId = Type.Object({ connected_client_id: Type.String({ maxLength: 100 }) })
const SessionId = Type.Object({ session_id: Type.String({ maxLength: 100 }) })

/** The console's surface: what a person sees and does about themselves, signed in by a cookie. */
export const consoleOperations = {
  getMyself: operation('getMyself', 'get', '/person', {
    need: 'self',
    summary: 'Who is signed in',
    replies: { 200: ['The person.', SignedInPerson] },
  }),
  getConsoleSettings: operation('getConsoleSettings', 'get', '/settings', {
    need: 'self',
    summary: 'What the console has to know of the service that it belongs to',
    replies: { 200: ['The settings.', ConsoleSettings] },
  }),
  removeMyself: operation('removeMyself', 'delete', '/person', {
    need: 'self',
    summary: 'Delete the account of who is signed in, for good',
    body: [PersonRemoval, { password: 'correct horse battery staple' }],
    replies: { 204: ['Deleted.', undefined] },
    faults: ['sign_in_again', 'wrong_password', 'too_many_attempts', 'conflict'],
  }),
  exportMyself: operation('exportMyself', 'post', '/person/export', {
    need: 'self',
    summary:
      'All that is kept of who is signed in, as one JSON document; three times a day at most',
    body: [PersonalDataWish, { password: 'correct horse battery staple' }],
    replies: { 200: ['All of it.', PersonalData] },
    faults: ['sign_in_again', 'wrong_password', 'too_many_attempts'],
  }),
  listSessions: operation('listSessions', 'get', '/sessions', {
    need: 'self',
    summary: "List a person's sessions, newest first",
    replies: { 200: ['The sessions.', SessionList] },
  }),
  endOtherSessions: operation('endOtherSessions', 'delete', '/sessions', {
    need: 'self',
    summary: 'End every session but the one that asks',
    replies: { 204: ['Ended.', undefined] },
  }),
  endSession: operation('endSession', 'delete', '/sessions/{session_id}', {
    need: 'self',
    summary: 'End a session',
    params: SessionId,
    replies: { 204: ['Ended.', undefined] },
    faults: ['not_found'],
  }),
  listConnectedApps: operation('listConnectedApps', 'get', '/connected-apps', {
    need: 'self',
    summary: 'Apps that know who is signed in, the last used first',
    replies: { 200: ['The apps.', ConnectedAppList] },
  }),
  revokeConnectedApp: operation(
    'revokeConnectedApp',
    'delete',
    '/connected-apps/{connected_client_id}',
    {
      need: 'self',
      summary: 'End all that an app has of a person, at once; it has to ask again',
      params: ConnectedClientId,
      replies: { 204: ['Ended.', undefined] },
      faults: ['not_found'],
    },
  ),
} as const
