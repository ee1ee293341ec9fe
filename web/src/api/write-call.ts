export const CALL_LANGUAGES = ['curl', 'typescript', 'python'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

/** What one line of a program's environment says. */
export const KEY_VARIABLE = 'PARLEY_API_KEY'

export interface WrittenCall {
  /** Ends in "/v1". */
  readonly baseUrl: string
  readonly brand: string
  /** Left out, it is read from the environment. */
  readonly apiKey?: string | undefined
  /** In a quoted text of any of the languages: without quotes and backslashes. */
  readonly prompt: string
}

export function writeEnvLine(apiKey: string): string {
  return `${KEY_VARIABLE}=${apiKey}`
}

/** One call that can be run as it stands, with nothing to install. */
export function writeCall(language: CallLanguage, call: WrittenCall): string {
  switch (language) {
    case 'curl':
      return writeCurl(call)
    case 'typescript':
      return writeTypescript(call)
    case 'python':
      return writePython(call)
  }
}

function writeCurl({ baseUrl, brand, apiKey, prompt }: WrittenCall): string {
  return `curl ${baseUrl}/chat/${brand} \\
  -H "Authorization: Bearer ${apiKey ?? `$${KEY_VARIABLE}`}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "messages": [{ "role": "user", "content": "${prompt}" }],
    "max_tokens": 200
  }'`
}

function writeTypescript({ baseUrl, brand, apiKey, prompt }: WrittenCall): string {
  const key = apiKey ? `'${apiKey}'` : `process.env['${KEY_VARIABLE}']`
  return `// first-call.mts: node ${apiKey ? '' : '--env-file=.env '}first-call.mts
const key = ${key}
const response = await fetch('${baseUrl}/chat/${brand}', {
  method: 'POST',
  headers: { 'Authorization': \`Bearer \${key}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    messages: [{ role: 'user', content: '${prompt}' }],
    max_tokens: 200,
  }),
})
const reply: any = await response.json()
console.log(response.ok ? reply.choices[0].message.content : reply.error)
`
}

function writePython({ baseUrl, brand, apiKey, prompt }: WrittenCall): string {
  const key = apiKey ? `"${apiKey}"` : `os.environ["${KEY_VARIABLE}"]`
  return `# first_call.py: python3 first_call.py
import json
${apiKey ? '' : 'import os\n'}import urllib.error
import urllib.request

key = ${key}
request = urllib.request.Request(
    "${baseUrl}/chat/${brand}",
    headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    data=json.dumps({
        "messages": [{"role": "user", "content": "${prompt}"}],
        "max_tokens": 200,
    }).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["choices"][0]["message"]["content"])
except urllib.error.HTTPError as refused:
    print(refused.read().decode())
`
}
