export {
  createClient,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Reply,
  type ReplyHead,
  type ReplyStream,
  type TimeoutOption,
} from './client.ts'
export {
  ConnectionError,
  InsufficientBalanceError,
  InvalidKeyError,
  InvalidRequestError,
  LimitedError,
  ParleyError,
  RefusedError,
  TimedOutError,
  UnavailableError,
  UnexpectedAnswerError,
  UnreachableError,
  type ErrorCode,
} from './errors.ts'
export type { RateLimit, RateLimits } from './read-limits.ts'
export { runTools, type RunnableTool, type ToolRun, type ToolRunOptions } from './run-tools.ts'
export type { RetryOptions } from './retry.ts'
export type {
  AssistantMessage,
  Brand,
  ChatCompletion,
  ChatCompletionChunk,
  ChatRequest,
  FinishReason,
  Message,
  Model,
  SystemMessage,
  Tool,
  ToolCall,
  ToolMessage,
  Usage,
  UserMessage,
} from './wire.ts'
