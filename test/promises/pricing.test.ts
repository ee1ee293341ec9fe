import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatEuros, nano } from '#platform/money.ts'
import { priceUsage } from '../../src/chat/usage.ts'

/** The contract's prices in euros a million tokens, as the specification writes them. */
const PRICES = {
  air: { input: '0.26', output: '3.10' },
  prime: { input: '1.80', output: '6.20' },
  nova: { input: '3.20', output: '9.50' },
} as const

const tokens = fc.oneof(fc.nat(300_000), fc.nat(100_000_000))
const brands = fc.constantFrom(...(Object.keys(PRICES) as (keyof typeof PRICES)[]))

/** Nano-euros a token: a euro is 10⁹ of them, a price is for 10⁶ tokens. */
function nanoPerToken(eurosPerMillion: string): bigint {
  return (BigInt(eurosPerMillion.replace('.', '')) * 10_000_000n) / 1_000_000n
}

function ratesOf(brand: keyof typeof PRICES) {
  const { input, output } = PRICES[brand]
  return { input: nano(Number(nanoPerToken(input))), output: nano(Number(nanoPerToken(output))) }
}

test('a price is exactly usage times rate, in integers that have no bound', () => {
  fc.assert(
    fc.property(brands, tokens, tokens, (brand, promptTokens, completionTokens) => {
      const { input, output } = PRICES[brand]
      const exact =
        BigInt(promptTokens) * nanoPerToken(input) + BigInt(completionTokens) * nanoPerToken(output)
      const price = priceUsage({ promptTokens, completionTokens }, ratesOf(brand))
      assert.equal(BigInt(price), exact)
    }),
    { numRuns: 5_000 },
  )
})

test('a million tokens cost the price of a million tokens', () => {
  for (const brand of Object.keys(PRICES) as (keyof typeof PRICES)[]) {
    const rates = ratesOf(brand)
    const input = priceUsage({ promptTokens: 1_000_000, completionTokens: 0 }, rates)
    const output = priceUsage({ promptTokens: 0, completionTokens: 1_000_000 }, rates)
    assert.equal(formatEuros(input), PRICES[brand].input)
    assert.equal(formatEuros(output), PRICES[brand].output)
  }
})

test('nothing used costs nothing, and one token more never costs less', () => {
  fc.assert(
    fc.property(brands, tokens, tokens, (brand, promptTokens, completionTokens) => {
      const rates = ratesOf(brand)
      assert.equal(priceUsage({ promptTokens: 0, completionTokens: 0 }, rates), 0)
      const price = priceUsage({ promptTokens, completionTokens }, rates)
      const more = priceUsage({ promptTokens, completionTokens: completionTokens + 1 }, rates)
      assert.equal(more - price, rates.output)
    }),
  )
})
