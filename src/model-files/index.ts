export { ENGINE_BYTES, type EngineState } from './engine.ts'
export {
  installModel,
  planInstallation,
  type Installed,
  type Plan,
  type Planning,
} from './install-model.ts'
export { listModels, type InstalledModel, type Inventory, type Place } from './list-models.ts'
export { ModelRefused } from './model-refused.ts'
export { HUB, type ModelSource } from './model-source.ts'
export type { OnProgress, Progress, Step } from './progress.ts'
export { refuseUnknown, removeModel } from './remove-model.ts'
export { SUGGESTIONS, type Suggestion } from './suggestions.ts'
