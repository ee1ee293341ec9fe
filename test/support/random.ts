/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  readonly seed: number
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<Value>(values: readonly Value[]): Value
}

/** With PARLEY_TEST_SEED a failure can be seen again. */
export function createRandom(
  seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 2 ** 31),
) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const random: Random = {
    seed,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
  }
  return random
}
