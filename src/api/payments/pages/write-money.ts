import type { Speech } from '../../identity/pages/account-sections.ts'

const LOCALES = { en: 'en-IE', pt: 'pt-PT' } as const

/** Euros such as "20.00", as who reads the page writes them: without cents where there are none. */
export function writeMoney(amountEur: string, { language }: Pick<Speech, 'language'>): string {
  const cents = amountEur.endsWith('.00') ? 0 : 2
  return format(amountEur, language, { minimumFractionDigits: cents, maximumFractionDigits: cents })
}

/** To the cent, and never more than there is. */
export function writeSum(amountEur: string, { language }: Pick<Speech, 'language'>): string {
  return format(amountEur, language, { maximumFractionDigits: 2, roundingMode: 'floor' })
}

/** With its cents, whatever they are: as papers have it. */
export function writeExactMoney(amountEur: string, { language }: Pick<Speech, 'language'>): string {
  return format(amountEur, language, { minimumFractionDigits: 2, maximumFractionDigits: 9 })
}

export function writePercent(percent: number, { language }: Pick<Speech, 'language'>): string {
  const options = { style: 'unit', unit: 'percent', maximumFractionDigits: 4 } as const
  return new Intl.NumberFormat(LOCALES[language], options).format(percent)
}

function format(
  amountEur: string,
  language: Speech['language'],
  options: Intl.NumberFormatOptions,
): string {
  const euros = { style: 'currency', currency: 'EUR', ...options } as const
  // A text is written digit by digit: what a number cannot hold exactly does not change.
  const text = amountEur as Intl.StringNumericLiteral
  return new Intl.NumberFormat(LOCALES[language], euros).format(text)
}
