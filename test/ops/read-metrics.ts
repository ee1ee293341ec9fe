/** What `/metrics` says, by name and labels as they are written: `parley_replies_total{brand="air"}`. */
export type Figures = ReadonlyMap<string, number>

export async function readMetrics(opsOrigin: string): Promise<Figures> {
  const reply = await fetch(`${opsOrigin}/metrics`)
  const lines = (await reply.text()).split('\n').filter((line) => /^[a-z]/.test(line))
  return new Map(
    lines.map((line) => {
      const place = line.lastIndexOf(' ')
      return [line.slice(0, place), Number(line.slice(place + 1))]
    }),
  )
}

/** The sum over all that have this name and, where they are given, these labels. */
export function sum(
  figures: Figures,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const found = [...figures].filter(
    ([key]) => key.replace(/\{.*/, '') === name && wanted.every((one) => key.includes(one)),
  )
  return found.reduce((total, [, value]) => total + value, 0)
}
