export {
  BRANDS,
  DEFAULT_LIMITS,
  isBrand,
  modelId,
  type Brand,
  type Model,
  type ModelLimits,
  type Rates,
} from './catalogue.ts'
export type { CircuitOptions } from './circuit.ts'
export { completeBrands, type BrandConfig } from './complete-brands.ts'
export { estimatePrompt } from './estimate-prompt.ts'
export type { LaneSettings } from './lane-settings.ts'
export type { WrapUpstream } from './line-up.ts'
export {
  createModels,
  type BrandChange,
  type BrandOptions,
  type ModelHealth,
  type Models,
} from './models.ts'
export type { AssistantMessage, Message, Prompt, Tool, ToolCall } from './prompt.ts'
export type { Routing } from './route.ts'
export { modelMigrations, modelTables } from './switches.ts'
export { countTokens, createTokenCounter, type TokenCounter } from './token-counter.ts'
export { createUpstream, type UpstreamOptions } from './upstreams/create-upstream.ts'
export {
  ENGINE,
  engineDirectory,
  enginePlatformPackage,
  findEngine,
  listModelFiles,
  modelsDirectory,
  readModelFile,
  type ModelFile,
} from './upstreams/llama/places.ts'
export { LlamaRefused } from './upstreams/llama/llama-refused.ts'
export { createLlamaPool } from './upstreams/llama/llama-pool.ts'
export type { LlamaOptions } from './upstreams/llama/llama-options.ts'
export { ProviderNotInstalled } from './upstreams/provider/load-provider.ts'
export type { ProviderOptions } from './upstreams/provider/provider-options.ts'
export type {
  ReplyEvent,
  ReplyListener,
  ReportedUsage,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './upstreams/upstream.ts'
