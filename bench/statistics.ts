export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** By the nearest rank; NaN of no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Half the way from the least to the greatest value, as a share of their median: "±3 %". */
export function formatSpread(values: readonly number[]): string {
  const half = (Math.max(...values) - Math.min(...values)) / 2
  return `±${Math.round((100 * half) / median(values))} %`
}

/** The median, and between which values it lies: "0.41 (0.38 to 0.47)". */
export function formatRange(values: readonly number[], decimals: number): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const range = `${least.toFixed(decimals)} to ${greatest.toFixed(decimals)}`
  return `${median(values).toFixed(decimals)} (${range})`
}

/** With a thin space between the thousands. */
export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, '\u2009')
}
