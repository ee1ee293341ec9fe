import { Problem, send } from './client.ts'

/**
 * The bundle of a screen. One that has gone with an older build is for the router, which loads the page
 * again; where the service is away, the page would not come back from that.
 */
export async function loadScreen<Bundle>(load: () => Promise<Bundle>): Promise<Bundle> {
  try {
    return await load()
  } catch (error) {
    const { ok, status } = await send('/console', { method: 'HEAD' })
    if (!ok) throw new Problem('offline', `The answer was ${status}.`, { status })
    throw error
  }
}
