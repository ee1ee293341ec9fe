/**
 * What is right, what one should know, what may go wrong, and what is wrong: the last alone makes the
 * command fail.
 */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** One sentence on what was found, with its figures; never a secret, never content. */
export interface Finding {
  readonly level: Level
  readonly found: string
  /** What to do; undefined where there is nothing to do. */
  readonly advice?: string
}

export function ok(found: string): Finding {
  return { level: 'ok', found }
}

export function note(found: string, advice?: string): Finding {
  return { level: 'note', found, ...(advice !== undefined && { advice }) }
}

export function warning(found: string, advice: string): Finding {
  return { level: 'warning', found, advice }
}

export function problem(found: string, advice: string): Finding {
  return { level: 'problem', found, advice }
}

/** "1 model", "2 models". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Findings on one subject, under its heading. */
export interface Group {
  readonly title: string
  readonly findings: readonly Finding[]
}

export function countLevels(groups: readonly Group[]): Readonly<Record<Level, number>> {
  const counts = { ok: 0, note: 0, warning: 0, problem: 0 }
  for (const { findings } of groups) for (const { level } of findings) counts[level] += 1
  return counts
}
