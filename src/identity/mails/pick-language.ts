export const LANGUAGES = ['en', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** What our own pages send: the language that they are shown in. */
export const LOCALE_HEADER = 'x-parley-locale'

/** No browser sends more, and a header of 16 KiB should not be taken to pieces. */
const MAX_RANGES = 20

/** The best of our languages for who sent a request: their page's, else their browser's, else English. */
export function pickLanguage(headers: Headers | undefined): Language {
  const own = findLanguage(headers?.get(LOCALE_HEADER) ?? '')
  return own ?? readAcceptLanguage(headers?.get('accept-language') ?? '') ?? 'en'
}

/** RFC 9110, 12.5.4: ranges with weights, of which 0 means "not this one". */
function readAcceptLanguage(header: string): Language | undefined {
  const ranges = header.split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.split(';')
    const weight = parameters.find((one) => one.trim().startsWith('q='))
    return { tag, weight: weight === undefined ? 1 : Number(weight.trim().slice(2)) }
  })
  const wanted = ranges.filter(({ weight }) => weight > 0)
  const best = wanted.toSorted((one, other) => other.weight - one.weight)
  return best.map(({ tag }) => findLanguage(tag)).find((language) => language !== undefined)
}

function findLanguage(tag: string): Language | undefined {
  const [primary] = tag.trim().toLowerCase().split('-', 1)
  return LANGUAGES.find((language) => language === primary)
}
