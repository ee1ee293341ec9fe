import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnippets } from './read-snippets.ts'

const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\``

test('each block is read with its place and its use, in lists as well', () => {
  const page = [
    '# Title',
    '',
    fence('sh', 'true'),
    '',
    fence('text output', ''),
    '',
    '- item',
    '',
    fence('ts file=a/chat.ts', 'chat()').replaceAll(/^/gm, '  '),
    '',
    fence('sh skip="needs a GPU"', 'true'),
    fence('sh', 'true'),
    fence('yaml', 'a: 1'),
    fence('yaml file=compose.yaml', 'a: 1'),
    fence('nginx', 'a'),
  ].join('\n')
  const read = readSnippets(page).map(({ line, use, file }) => [line, use.kind, file])
  assert.deepEqual(read, [
    [4, 'run', undefined],
    [8, 'output', undefined],
    [14, 'write', 'a/chat.ts'],
    [18, 'skip', undefined],
    [21, 'run', undefined],
    [24, 'config', undefined],
    [27, 'write', 'compose.yaml'],
    [30, 'show', undefined],
  ])
})

for (const [what, page, message] of [
  ['an option that is none', fence('sh backgruond', 'a'), /line 1: what is "backgruond"/],
  ['a reason that is none', fence('sh skip', 'a'), /line 1: what is "skip"/],
  ['output of nothing', fence('text output', 'a'), /line 1: the block before/],
  [
    'output of a file',
    `${fence('ts file=a.ts', '')}\n${fence('text output', '')}`,
    /line 4: the block/,
  ],
  ['a background that is no shell', fence('ts background', 'a'), /line 1: only "sh"/],
  ['no language', fence('', 'a'), /line 1: say what language/],
  ['a file elsewhere', fence('sh file=../x', 'a'), /line 1: ..\/x is outside/],
] as const) {
  test(`refuses ${what}`, () => {
    assert.throws(() => readSnippets(page), message)
  })
}
