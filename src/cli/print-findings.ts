import { styleText } from 'node:util'
import type { Finding, Group, Level } from '#doctor/index.ts'
import type { CommandIo } from './command-io.ts'

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_WIDTH = 100
const PIPED_WIDTH = 88
const INDENT = ' '.repeat(11)

const COLOURS = { ok: 'green', note: 'blue', warning: 'yellow', problem: 'red' } as const

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** A heading for each group; under it a line for each finding, and what to do under that. */
export function printFindings(io: CommandIo, groups: readonly Group[]): void {
  const paint = paintFor(io)
  const width = Math.min(io.stdout.columns || PIPED_WIDTH, MAX_WIDTH)
  for (const { title, findings } of groups) {
    const lines = findings.flatMap((finding) => layOut(finding, width, paint))
    io.stdout.write(`${paint('bold', title)}\n${lines.join('\n')}\n\n`)
  }
}

/** `12 ok, 2 notes, 1 warning, 0 problems` */
export function printCounts(io: CommandIo, counts: Readonly<Record<Level, number>>): void {
  const paint = paintFor(io)
  const words = (['ok', 'note', 'warning', 'problem'] as const).map((level) => {
    const count = counts[level]
    const text = `${count} ${level}${level === 'ok' || count === 1 ? '' : 's'}`
    return count > 0 ? paint(COLOURS[level], text) : text
  })
  io.stdout.write(`${words.join(', ')}\n`)
}

function paintFor({ stdout, env }: CommandIo): Paint {
  if (stdout.isTTY !== true || env['NO_COLOR']) return (_style, text) => text
  // The stream was looked at here; styleText would look at the process's own.
  return (style, text) => styleText(style, text, { validateStream: false })
}

function layOut({ level, found, advice }: Finding, width: number, paint: Paint): string[] {
  const room = Math.max(width - INDENT.length, 30)
  const [first = '', ...rest] = wrap(keepPrintable(found), room)
  const label = paint(COLOURS[level], level.padEnd(INDENT.length - 2))
  const told = wrap(`→ ${keepPrintable(advice ?? '')}`, room).map((line, index) =>
    paint('dim', index === 0 ? line : `  ${line}`),
  )
  return [
    `  ${label}${first}`,
    ...[...rest, ...(advice === undefined ? [] : told)].map((line) => INDENT + line),
  ]
}

/** Names and texts of servers are among it: none may move the cursor. */
function keepPrintable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

/** At spaces; what has none, such as an address, stays whole. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
