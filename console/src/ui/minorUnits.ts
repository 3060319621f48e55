/** The decimal places of currencies that do not have two, by ISO 4217: the table of the service, which a test compares with this one. */
const OTHER_PLACES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)] as const)),
)

/** Returns the number of decimal places of amounts in a currency; two if it is not known. */
export function decimalPlaces(currency?: string): number {
  return OTHER_PLACES.get(currency ?? '') ?? 2
}
