import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FAULTS } from '../../src/api/contract/schemas/error.ts'
import { describePublicOperations } from '../../src/api/contract/public-operations.ts'
import { TIERS } from '../../src/gate/tiers.ts'
import { BRANDS, DEFAULT_LIMITS, describeModel } from '../../src/models/catalogue.ts'
import type { FaultCode } from '#platform/fault.ts'
import { root } from './make-place.ts'
import { readCode, readTables } from './read-tables.ts'

/** The rows of all tables of a guide, as their cells are written. */
function readRows(page: string): readonly (readonly string[])[] {
  const markdown = readFileSync(join(root, 'docs', `${page}.md`), 'utf8')
  return readTables(markdown).flatMap(({ rows }) => rows)
}

/** What any address below /v1 can answer with, besides what its operation declares. */
const ANYWHERE: readonly FaultCode[] = ['not_found', 'method_not_allowed', 'internal_error']

for (const folder of ['', 'pt/']) {
  test(`${folder}errors has every code that /v1 can answer with, and its status`, () => {
    const declared = Object.values(describePublicOperations('svc')).flatMap(
      ({ faults }): readonly FaultCode[] => faults,
    )
    const codes = [...new Set([...declared, ...ANYWHERE])]
    const told = readRows(`${folder}errors`)
      .filter(([status = '', code]) => /^\d{3}$/.test(status) && readCode(code) !== '')
      .map(([status, code]) => `${status} ${readCode(code)}`)
    const expected = codes.map((code) => `${FAULTS[code].status} ${code}`)
    assert.deepEqual(told.toSorted(), expected.toSorted())
  })

  test(`${folder}rate-limits has the tiers as they are`, () => {
    const told = readRows(`${folder}rate-limits`)
      .filter(([tier = '']) => /^[123]$/.test(tier))
      .map(([tier, , requests = '', tokens = '']) => [
        Number(tier),
        Number(requests.replaceAll(' ', '')),
        Number(tokens.replaceAll(' ', '')),
      ])
    const expected = Object.values(TIERS).map(({ number, requestsPerMinute, tokensPerMinute }) => [
      number,
      requestsPerMinute,
      tokensPerMinute,
    ])
    assert.deepEqual(told, expected)
  })

  test(`${folder}billing has the prices as they are`, () => {
    const rows = readRows(`${folder}billing`)
    for (const brand of BRANDS) {
      const { rates } = describeModel('svc', brand, DEFAULT_LIMITS[brand])
      const told = rows.find(([cell]) => readCode(cell) === brand)
      assert.deepEqual(told?.slice(1), [
        (rates.input / 1000).toFixed(2),
        (rates.output / 1000).toFixed(2),
        `${rates.input} n€`,
        `${rates.output} n€`,
      ])
    }
  })
}
