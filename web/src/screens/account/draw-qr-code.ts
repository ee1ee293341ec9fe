import { encode } from 'uqr'

export interface QrDrawing {
  /** Modules on each side, the quiet zone included. */
  readonly size: number
  /** An SVG path over the dark ones, a row's runs as one rectangle each. */
  readonly path: string
}

/** ISO/IEC 18004 asks for four light modules around it. */
const QUIET = 4

export function drawQrCode(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  return { size, path: data.flatMap((row, y) => drawRow(row, y)).join('') }
}

function drawRow(row: readonly boolean[], y: number): string[] {
  const runs: string[] = []
  let start: number | undefined
  for (let x = 0; x <= row.length; x += 1) {
    if (row[x]) {
      start ??= x
      continue
    }
    if (start !== undefined) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`)
    start = undefined
  }
  return runs
}
