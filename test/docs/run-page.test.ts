import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { readSnippets } from './read-snippets.ts'
import { runPage } from './run-page.ts'

function run(t: TestContext, ...blocks: string[]): Promise<void> {
  const markdown = blocks.map((block) => `\`\`\`${block}\n\`\`\`\n`).join('\n')
  const page = { path: 'docs/page.md', snippets: readSnippets(`# Page\n\n${markdown}`) }
  return runPage(page, { directory: makeTemporaryDirectory(t), python: undefined })
}

test('a page is run as its reader runs it: one shell, one directory, its own service', async (t) => {
  await run(
    t,
    'ts file=port.ts\nconsole.log("http://127.0.0.1:8080", process.env.WORD)',
    'sh\nexport WORD=word\nmkdir -p inner && cd inner',
    'sh\nnode ../port.ts; cd ..',
    'text output\nhttp://127.0.0.1:8080 word',
    'sh\ncurl -sS "$PARLEY_URL/v1/models" -H "Authorization: Bearer $PARLEY_API_KEY"',
    'json output\n{ "object": "list", "data": […{ "id": "svc-nova-v1", … }] }',
    'sh background\nPORT=8090 PARLEY_DATA_DIR=other npm start',
    'text output\n… Parley is ready. … http://127.0.0.1:8090/v1 …',
    'sh\ncurl -sSf http://localhost:8090/v1/openapi.json -o document.json; npx parley account list',
    'text output\n… you@localhost …',
  )
})

test('a page that starts the service is served by it', async (t) => {
  await run(
    t,
    'sh background\nnpm start',
    'text output\n… API http://127.0.0.1:8080/v1 …',
    'ts\nconst headers = { authorization: "Bearer " + process.env.PARLEY_API_KEY }\n' +
      'console.log((await fetch("http://127.0.0.1:8080/v1/models", { headers })).status)',
    'text output\n200',
  )
})

test('a page that names PostgreSQL finds one', async (t) => {
  await run(
    t,
    'sh\nexport DATABASE_URL=postgres://parley:secret@127.0.0.1:5432/parley',
    'sh background\nPARLEY_DATA_DIR=one PORT=8081 npm start',
    'text output\n… Parley is ready. … http://127.0.0.1:8081/v1 …',
  )
})

for (const [what, blocks, message] of [
  [
    'a block that fails',
    ['sh\necho before\ncat nothing\necho after'],
    /^docs\/page\.md:4: this block \(sh\) ended with 1\. It printed:\nbefore\n.*page\.md: line 5: |cat: nothing/s,
  ],
  [
    'output that is another',
    ['sh\necho one two', 'text output\none three'],
    /^docs\/page\.md:8: this is not what was printed.*one three.*one two/s,
  ],
  ['TypeScript that throws', ['ts\nthrow new Error("no")'], /page\.md:4: this block \(ts\).*no/s],
  ['what is left running', ['sh\nsleep 600 >/dev/null 2>&1 &'], /:4: .* left something running/],
  ['a background that ends', ['sh background\nexit 3'], /:4: .* ended with 3/],
  ['JSON that is none', ['json\n{ a: 1 }'], /^docs\/page\.md:4: .*JSON/],
  ['a setting that is none', ['yaml\nmodles: {}'], /^docs\/page\.md:4: .*modles/s],
] as const) {
  test(`${what} is told, with its place`, async (t) => {
    await assert.rejects(run(t, ...blocks), ({ message: told }: Error) => {
      assert.match(told, message)
      return true
    })
  })
}
