/** Loads by id, once for all who ask at the same time. */
export interface CoalescedLoad<Value> {
  load(id: string): Promise<Value>
  /** What is being loaded under this id may be out of date: those who wait get a fresh one. */
  discard(id: string): void
}

interface UnderWay<Value> {
  promise: Promise<Value> | undefined
  outdated: boolean
}

/** `keep` is called with each fresh value in the step that finds it fresh, before anyone else can act. */
export function createCoalescedLoad<Value>(
  read: (id: string) => Promise<Value>,
  keep: (id: string, value: Value) => void = () => {},
): CoalescedLoad<Value> {
  const underWay = new Map<string, UnderWay<Value>>()

  async function run(id: string, self: UnderWay<Value>): Promise<Value> {
    try {
      const value = await read(id)
      if (self.outdated) return await load(id)
      keep(id, value)
      return value
    } finally {
      if (underWay.get(id) === self) underWay.delete(id)
    }
  }

  function load(id: string): Promise<Value> {
    const running = underWay.get(id)?.promise
    if (running) return running
    const self: UnderWay<Value> = { promise: undefined, outdated: false }
    underWay.set(id, self)
    const promise = run(id, self)
    self.promise = promise
    return promise
  }

  return {
    load,
    discard(id) {
      const running = underWay.get(id)
      if (!running) return
      running.outdated = true
      underWay.delete(id)
    },
  }
}
