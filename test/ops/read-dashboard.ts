import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly datasource?: { readonly type: string; readonly uid: string }
  /** None in a row, which is a heading. */
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[]
  }
  readonly panels: readonly Panel[]
}

export function readDashboard(): Dashboard {
  const path = join(import.meta.dirname, '../../deploy/grafana/parley.json')
  return JSON.parse(readFileSync(path, 'utf8')) as Dashboard
}

/** Every expression, with the title of its panel. */
export function listExpressions({ panels }: Dashboard): [title: string, expression: string][] {
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  )
}

/** What Grafana puts in the place of its variables, for all processes of a job and a short while. */
export function fillIn(expression: string): string {
  return expression
    .replaceAll('$job', 'parley')
    .replaceAll('$instance', '.*')
    .replaceAll('$__rate_interval', '5s')
    .replaceAll('$__range', '1m')
}
