import { Type } from 'typebox'
import { RATE_LIMIT_HEADERS, type Operation } from './operation.ts'
import { ChatRequest } from './schemas/chat-request.ts'
import { describeChunk, describeCompletion } from './schemas/chat-reply.ts'
import { describeModelItem, describeModelList } from './schemas/model.ts'
import {
  exampleCompletion,
  exampleModelList,
  exampleTranscript,
  requestExamples,
} from './examples.ts'

/** The public surface: what the service sells. */
export function describePublicOperations(serviceName: string) {
  const modelIds = ['air', 'prime', 'nova'].map((brand) => `${serviceName}-${brand}-v1`)
  return {
    chatCompletion: describeChat(serviceName, modelIds),
    listModels: describeListModels(serviceName, modelIds),
    getOpenapi,
  }
}

function describeChat(serviceName: string, modelIds: readonly string[]) {
  return {
    id: 'chatCompletion',
    method: 'post',
    path: '/v1/chat/{brand}',
    tag: 'chat',
    summary: "Take a conversation and return the model's reply",
    description:
      'The reply is one JSON body or, with `stream: true`, server-sent events: each `data:` line ' +
      'carries one ChatCompletionChunk, and the line `data: [DONE]` ends the stream. Lines that ' +
      'begin with a colon are signs of life. A stream that fails midway ends with the finish reason `error`.',
    auth: 'api_key',
    params: Type.Object({
      brand: Type.Enum(['air', 'prime', 'nova'], { description: 'Which model answers.' }),
    }),
    body: { schema: ChatRequest, examples: requestExamples },
    replies: {
      200: {
        description: 'The reply.',
        content: [
          {
            type: 'application/json',
            schema: describeCompletion(modelIds),
            examples: { reply: exampleCompletion(serviceName) },
          },
          {
            type: 'text/event-stream',
            schema: describeChunk(modelIds),
            examples: { transcript: exampleTranscript(serviceName) },
          },
        ],
      },
    },
    faults: [
      'invalid_request',
      'tools_unsupported',
      'invalid_api_key',
      'insufficient_balance',
      'unknown_model',
      'rate_limit_rpm',
      'rate_limit_tpm',
      'daily_spend_limit_reached',
      'upstream_error',
      'model_unavailable',
    ],
    headers: ['x-request-id', 'link', ...RATE_LIMIT_HEADERS],
  } as const satisfies Operation
}

function describeListModels(serviceName: string, modelIds: readonly string[]) {
  return {
    id: 'listModels',
    method: 'get',
    path: '/v1/models',
    tag: 'models',
    summary: 'List the three models with their prices',
    auth: 'api_key',
    replies: {
      200: {
        description: 'The models.',
        content: [
          {
            type: 'application/json',
            schema: describeModelList(describeModelItem(serviceName, modelIds)),
            examples: { models: exampleModelList(serviceName) },
          },
        ],
      },
    },
    faults: ['invalid_api_key', 'model_unavailable'],
    headers: ['x-request-id', 'link'],
  } as const satisfies Operation
}

const getOpenapi = {
  id: 'getOpenapi',
  method: 'get',
  path: '/v1/openapi.json',
  tag: 'service',
  summary: 'This document',
  auth: 'none',
  replies: {
    200: {
      description: 'The interface, as OpenAPI 3.1.',
      content: [
        {
          type: 'application/json',
          schema: Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
          }),
          examples: {},
        },
      ],
    },
  },
  faults: [],
  headers: ['x-request-id', 'link'],
} as const satisfies Operation
