import { OPERATOR_TOKEN } from '../../support/app-options.ts'

/** The operator's surface of a running service. */
export interface Operator {
  /** Throws where the answer is not a 2xx. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** The status, where any answer came; undefined where the connection broke. */
  tell(method: string, path: string, body: unknown): Promise<number | undefined>
}

/** Asks whichever replica runs at that moment. */
export function createOperator(origins: () => readonly string[]): Operator {
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${origins()[0]}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const response = await send(method, path, body)
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Answer
    },
    async tell(method, path, body) {
      try {
        const response = await send(method, path, body)
        await response.arrayBuffer()
        return response.status
      } catch {
        return undefined
      }
    },
  }
}

/** What the checks look at of a receipt. */
export interface Receipt {
  readonly request_id: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost_eur: string
  readonly written_off_eur: string
  readonly ended: string
  readonly created_at: number
}

interface ReceiptPage {
  readonly data: readonly Receipt[]
  readonly next_cursor: string | null
}

export async function listAllReceipts(operator: Operator, accountId: string): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const path = `/accounts/${accountId}/receipts?limit=200${query}`
    const page: ReceiptPage = await operator.call('GET', path)
    receipts.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return receipts
}
