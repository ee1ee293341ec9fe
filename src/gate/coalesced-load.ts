/** Loads by id, once for all who ask at the same time. */
export interface CoalescedLoad<Value, Asked = string> {
  load(asked: Asked): Promise<Value>
  /** What is being loaded under this id may be out of date: those who wait get a fresh one. */
  discard(id: string): void
}

interface UnderWay<Value> {
  promise: Promise<Value> | undefined
  outdated: boolean
}

/** `keep` is called with each fresh value in the step that finds it fresh, before anyone else can act. */
export function createCoalescedLoad<Value, Asked = string>(
  read: (asked: Asked) => Promise<Value>,
  keep: (asked: Asked, value: Value) => void = () => {},
  idOf: (asked: Asked) => string = String,
): CoalescedLoad<Value, Asked> {
  const underWay = new Map<string, UnderWay<Value>>()

  async function run(asked: Asked, self: UnderWay<Value>): Promise<Value> {
    const id = idOf(asked)
    try {
      const value = await read(asked)
      if (self.outdated) return await load(asked)
      keep(asked, value)
      return value
    } finally {
      if (underWay.get(id) === self) underWay.delete(id)
    }
  }

  function load(asked: Asked): Promise<Value> {
    const id = idOf(asked)
    const running = underWay.get(id)?.promise
    if (running) return running
    const self: UnderWay<Value> = { promise: undefined, outdated: false }
    underWay.set(id, self)
    const promise = run(asked, self)
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
