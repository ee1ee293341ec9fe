import { test } from 'node:test'
import type {
  ChatCompletion as ContractCompletion,
  ChatCompletionChunk as ContractChunk,
  ChatRequest as ContractRequest,
  ModelItem,
} from '#api/contract/index.ts'
import type { ChatCompletion, ChatCompletionChunk, ChatRequest, Model } from 'parley-client'

/** Fails to compile where what the one side gives the other does not take. */
function fits<Given extends Taken, Taken>(_given?: Given, _taken?: Taken): void {}

test("the client's types are the contract's: the compiler holds them", () => {
  fits<ChatRequest, ContractRequest>()
  fits<Omit<ContractRequest, 'stream'>, ChatRequest>()
  fits<ContractCompletion, ChatCompletion>()
  fits<ChatCompletion, ContractCompletion>()
  fits<ContractChunk, ChatCompletionChunk>()
  fits<ChatCompletionChunk, ContractChunk>()
  fits<ModelItem, Model>()
  fits<Model, ModelItem>()
})
