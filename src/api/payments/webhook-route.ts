import type { FastifyInstance } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { UnverifiedEvent, type Payments } from '#payments/index.ts'

/** Events of a payment are a few kilobytes. */
const MAX_BODY_BYTES = 256 * 1024

/** Where the payment provider tells what became of top-ups. */
export const WEBHOOK_PATH = '/webhooks/stripe'

/** Its signature is over the bytes as they came: they are not read as JSON before it is checked. */
export function registerWebhook(server: FastifyInstance, payments: Payments): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post<{ Body: Buffer | undefined }>(WEBHOOK_PATH, async (request) => {
      const signature = request.headers['stripe-signature']
      try {
        await payments.receive(request.body ?? Buffer.alloc(0), signature?.toString())
      } catch (error) {
        if (!(error instanceof UnverifiedEvent)) throw error
        throw new Fault('invalid_request', 'body: is not signed by the payment provider, lately', {
          reason: 'a payment event without a valid signature',
        })
      }
      return { received: true }
    })
  })
}
