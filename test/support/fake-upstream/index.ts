/** A real HTTP server that stands in for OpenAI-format model servers, with their quirks and faults. */
export { playModel, type ModelTraits } from './play-model.ts'
export { systemClock, type Clock } from './clock.ts'
export { encodeReply } from './encode-reply.ts'
export { startFixedUpstream, type FixedReplies, type FixedUpstream } from './fixed-upstream.ts'
export { refusingUrl } from './refusing-url.ts'
export {
  lyingUsages,
  type BodyPoint,
  type Dialect,
  type Fault,
  type Figure,
  type Framing,
  type Pace,
  type Pause,
  type PlannedToolCall,
  type PlannedUsage,
  type Point,
  type Reply,
  type ToolCallShape,
} from './reply.ts'
export type { ChatBody, Ending, RecordedRequest, WireMessage } from './request.ts'
export {
  startFakeUpstream,
  type FakeUpstream,
  type FakeUpstreamOptions,
  type Script,
} from './server.ts'
