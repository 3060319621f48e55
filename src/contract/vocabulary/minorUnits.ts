import { toFifteenDigits } from './digits.ts'

/**
 * The minor units of currencies, by the list that the maintenance agency of ISO 4217 publishes. Intl.NumberFormat is no source: it follows
 * CLDR, which rounds AFN, IQD and others to whole units since their coins are no longer used.
 */

/** The decimal places of all other currencies. Codes without minor units, such as XAU and XDR, count as having two. */
const USUAL_PLACES = 2

const OTHER_PLACES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)] as const)),
)

/** Returns the number of decimal places of amounts in a currency: 2 for USD, none for JPY (ISO 4217). */
export function decimalPlaces(currency: string): number {
  return OTHER_PLACES.get(currency) ?? USUAL_PLACES
}

/**
 * Returns what is wrong with an amount that is finer than its currency, as a predicate; undefined for any other amount, and for one of too many
 * digits, which is refused for these (`Money`).
 */
export function finerThanCurrency(amount: number, currency: string): string | undefined {
  const places = decimalPlaces(currency)
  if (placesOf(amount) <= places || toFifteenDigits(amount) !== amount) return undefined
  const allowed = places === 0 ? 'no decimal places' : `at most ${places} decimal places`
  return `must have ${allowed}, since it is in ${currency}; ${amount} was sent`
}

/** Returns the decimal places of the shortest text of a number, which is what its sender wrote. */
function placesOf(amount: number): number {
  const [digits = '', exponent = '0'] = String(amount).split('e')
  return Math.max((digits.split('.')[1] ?? '').length - Number(exponent), 0)
}
