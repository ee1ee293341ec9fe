import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Log } from '#platform/log.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import { createAccountWatch, type AccountWatch } from './account-watch.ts'
import { sessionOf } from './authenticate-session.ts'
import { accountOf } from './authorize.ts'
import { readOwnStanding, type StandingTools } from './standing.ts'
import { createOpenStreams, createStandingStream, type StandingStream } from './standing-streams.ts'

export interface WatchTools extends StandingTools {
  readonly accounts: Accounts
  readonly identity: Identity
  readonly log: Log
  readonly watchBounds?: Partial<WatchBounds>
}

/** Tests shorten the times. */
export interface WatchBounds {
  readonly lookEveryMs: number
  readonly keepAliveMs: number
  readonly checkSessionEveryMs: number
}

const BOUNDS: WatchBounds = {
  lookEveryMs: 1_000,
  keepAliveMs: 15_000,
  checkSessionEveryMs: 30_000,
}

/** More pages than anybody looks at. */
const MAX_STREAMS_OF_ONE = 8

/** How an own account stands, told to open pages as it changes. Streams end before the server closes. */
export function createWatchHandlers(server: FastifyInstance, tools: WatchTools) {
  const bounds = { ...BOUNDS, ...tools.watchBounds }
  const describe = createDescribe(tools)
  const streams = createOpenStreams(MAX_STREAMS_OF_ONE)
  const watch = createAccountWatch({ ...tools, describe, everyMs: bounds.lookEveryMs })
  const checkSession = createSessionCheck(tools, bounds.checkSessionEveryMs)
  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
    watch.close()
    streams.endAll()
  })

  async function follow(
    request: FastifyRequest,
    reply: FastifyReply,
    accountId: string,
  ): Promise<void> {
    const { stream, end } = await begin({ watch, describe }, accountId, () => {
      if (isClosing) throw stopping()
      return createStandingStream(reply, bounds.keepAliveMs)
    })
    const { personId } = sessionOf(request)
    streams.add(personId, stream)
    checkSession(request, stream)
    stream.onEnd(end)
  }

  return {
    async watchOwnStanding(request: FastifyRequest, reply: FastifyReply) {
      if (isClosing) throw stopping()
      if (request.method === 'HEAD') createStandingStream(reply).end()
      else await follow(request, reply, accountOf(request).id)
      return reply
    },
  }
}

type Describe = (accountId: string) => Promise<string>

function createDescribe(tools: WatchTools): Describe {
  return async function describe(accountId) {
    const account = await tools.accounts.find(accountId)
    if (!account) throw new Error(`account ${accountId} is not there`)
    return JSON.stringify(await readOwnStanding(tools, account))
  }
}

/** The first standing is read after the watch has begun: no change falls between the two. */
async function begin(
  { watch, describe }: { readonly watch: AccountWatch; readonly describe: Describe },
  accountId: string,
  open: () => StandingStream,
): Promise<{ readonly stream: StandingStream; readonly end: () => void }> {
  let stream: StandingStream | undefined
  const end = await watch.begin(accountId, (standing) => stream?.standing(standing))
  try {
    const first = await describe(accountId)
    stream = open()
    stream.standing(first)
    return { stream, end }
  } catch (error) {
    end()
    throw error
  }
}

/** Ends a stream some time after its session has ended, or its person has left the account. */
function createSessionCheck({ identity, accounts }: WatchTools, everyMs: number) {
  async function isSignedIn(request: FastifyRequest): Promise<boolean> {
    const { people } = await identity.load()
    const session = await people.findSession(request.headers)
    return session?.id === sessionOf(request).id
  }

  async function isMember(request: FastifyRequest): Promise<boolean> {
    const { personId } = sessionOf(request)
    return (
      (await accounts.members.find({ accountId: accountOf(request).id, personId })) !== undefined
    )
  }

  return function checkSession(request: FastifyRequest, stream: StandingStream): void {
    async function check(): Promise<void> {
      try {
        if (!(await isSignedIn(request))) stream.signedOut()
        else if (!(await isMember(request))) stream.end()
      } catch {
        // A store that is away ends no session: it is asked again.
      }
    }
    const timer = setInterval(() => void check(), everyMs).unref()
    stream.onEnd(() => clearInterval(timer))
  }
}

function stopping(): Fault {
  return new Fault('model_unavailable', 'The service is stopping; try again shortly.')
}
