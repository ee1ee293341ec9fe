import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, '../../docs/decisions')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test('the index lists each decision by its number and title, and none twice', () => {
  const files = readdirSync(folder).filter((file) => file !== 'README.md')
  const decisions = files.toSorted().map((file, index) => {
    const number = index + 1
    assert.ok(file.startsWith(`${String(number).padStart(4, '0')}-`), file)
    const [, title] = new RegExp(`^# ${number}\\. (.+)\n`).exec(read(file)) ?? []
    assert.ok(title, `${file} does not begin with "# ${number}. ", and its title`)
    return `${number} [${title}](${file})`
  })
  const rows = read('README.md').matchAll(/^\| +(\d+) \| (\[.+?\]\(\S+\)) +\|/gm)
  const listed = [...rows].map(([, number, link]) => `${number} ${link}`)
  assert.deepEqual(listed, decisions)
})
