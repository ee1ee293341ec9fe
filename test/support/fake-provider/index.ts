/** A real HTTP server that stands in for Anthropic, Google or Bedrock, and sends their wire formats. */
export { startFakeProvider, type FakeProvider, type ProviderRequest } from './server.ts'
export { recordings, type Recording, type WireReply } from './recordings.ts'
