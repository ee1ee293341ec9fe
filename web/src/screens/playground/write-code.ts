import { KEY_VARIABLE, type CallLanguage } from '../../api/write-call.ts'
import type { Brand } from './conversation.ts'
import type { ChatBody } from './write-body.ts'

export interface CodeRequest {
  /** {base_url} of the API. */
  readonly baseUrl: string
  readonly brand: Brand
  readonly body: ChatBody
}

/** The request as somebody sends it by themselves, with their key in the environment: never in here. */
export function writeCode(language: CallLanguage, { baseUrl, brand, body }: CodeRequest): string {
  const url = `${baseUrl}/chat/${brand}`
  switch (language) {
    case 'curl':
      return writeCurl(url, body)
    case 'typescript':
      return writeTypeScript(url, body)
    case 'python':
      return writePython(url, body)
  }
}

function writeCurl(url: string, body: ChatBody): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
  return [
    `curl -N ${url} \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}

function writeTypeScript(url: string, body: ChatBody): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indent(JSON.stringify(body, undefined, 2))}),
})
if (!response.ok) throw new Error(await response.text())
for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
  process.stdout.write(text)
}`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

function writePython(url: string, body: ChatBody): string {
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
