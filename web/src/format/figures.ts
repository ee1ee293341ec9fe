/**
 * Euros as readers of a language write them, exactly: the text is given to `Intl` as it is, never as a
 * floating-point number. At least cents; every decimal that the figure has.
 */
export function writeEuros(
  euros: string,
  locale: string,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): string {
  const format = new Intl.NumberFormat(locale, {
    signDisplay,
    style: 'currency',
    currency: 'EUR',
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  })
  // A decimal string is read exactly (ECMA-402, StringNumericLiteral); lib.d.ts wants its type.
  return format.format(euros as `${number}`)
}

export function writeCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count)
}

/** Up to some thousands whole, above as "1.2m". */
export function writeShortCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(
    count,
  )
}
