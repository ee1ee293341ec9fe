import type { ChatRequest } from 'parley-client'
import { KEY_VARIABLE, type CallLanguage } from '../../api/write-call.ts'
import type { Brand } from './conversation.ts'

export interface CodeRequest {
  /** {base_url} of the API. */
  readonly baseUrl: string
  readonly brand: Brand
  readonly request: ChatRequest
}

/** The request as somebody sends it by themselves, with their key in the environment: never in here. */
export function writeCode(
  language: CallLanguage,
  { baseUrl, brand, request }: CodeRequest,
): string {
  const url = `${baseUrl}/chat/${brand}`
  switch (language) {
    case 'curl':
      return writeCurl(url, { ...request, stream: true })
    case 'typescript':
      return writeTypeScript(baseUrl, brand, request)
    case 'python':
      return writePython(url, { ...request, stream: true })
  }
}

function writeCurl(url: string, body: object): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
  return [
    `curl -N ${url} \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}

function writeTypeScript(baseUrl: string, brand: Brand, request: ChatRequest): string {
  const calls = `
  for (const call of choice?.delta.tool_calls ?? []) console.log(call.id, call.function)`
  return `// Where parley-client is: ${new URL('/docs/clients', baseUrl).href}
import { createClient } from 'parley-client'

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.${KEY_VARIABLE},
})
const stream = await client.stream('${brand}', ${JSON.stringify(request, undefined, 2)})
for await (const { choices: [choice] } of stream) {
  process.stdout.write(choice?.delta.content ?? '')${request.tools ? calls : ''}
}`
}

function writePython(url: string, body: object): string {
  return `import json, os, urllib.request

body = ${writeLiteral(body, '')}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    for line in response:
        print(line.decode(), end="")`
}

const STEP = '    '

/** JSON's texts and numbers are Python's; its constants have other names. */
function writeLiteral(value: unknown, margin: string): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  const inner = margin + STEP
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const items = value.map((item) => `${inner}${writeLiteral(item, inner)},\n`)
    return `[\n${items.join('')}${margin}]`
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (entries.length === 0) return '{}'
    const items = entries.map(
      ([name, item]) => `${inner}${JSON.stringify(name)}: ${writeLiteral(item, inner)},\n`,
    )
    return `{\n${items.join('')}${margin}}`
  }
  return JSON.stringify(value)
}
