import type { DecimalMark } from '../../../contract/vocabulary/mappings.ts'

/** A number of a money column: its digits, and the sign or code of a currency beside them. */
export interface WrittenMoney {
  readonly digits: string
  readonly sign: string | undefined
}

const SIGNED = /^(-?)\s*(US\$|CA\$|A\$|NZ\$|MX\$|[$€£¥]|[A-Z]{3})\s*(-|\(?-?[\d.,]+\)?)$/
const SIGN_AFTER = /^(-?[\d.,]+)\s*([€£$¥]|[A-Z]{3})$/

/** Splits an amount from the sign of its currency. A dash in place of digits is zero, as spreadsheets show it; brackets are a minus. */
export function writtenMoney(text: string): WrittenMoney {
  const [, minus, sign, amount] = SIGNED.exec(text) ?? []
  if (amount === '-') return { digits: '0', sign }
  if (amount !== undefined) return { digits: `${minus}${unbracketed(amount)}`, sign }
  const [, before, after] = SIGN_AFTER.exec(text) ?? []
  return before === undefined ? { digits: unbracketed(text), sign: undefined } : { digits: before, sign: after }
}

function unbracketed(amount: string): string {
  const inside = /^\(([\d.,]+)\)$/.exec(amount)?.[1]
  return inside === undefined ? amount : `-${inside}`
}

/** The currencies of the signs that several have. */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'SGD', 'HKD', 'TWD', 'BRL', 'CLP', 'COP', 'ARS'],
  US$: ['USD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  NZ$: ['NZD'],
  MX$: ['MXN'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['JPY', 'CNY'],
}

/** Returns whether a sign or a code can be that of a currency. */
export function isSignOf(sign: string, currency: string): boolean {
  return (CURRENCIES[sign] ?? [sign]).includes(currency)
}

const POINTED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/
const COMMAED = /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/

/** Returns a number with the separators of a mark as plain digits, such as 1250.5; undefined for other texts. */
export function plainNumber(text: string, mark: DecimalMark): string | undefined {
  if (mark === 'point') return POINTED.test(text) ? text.replaceAll(',', '') : undefined
  return COMMAED.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined
}

const CLEAR_POINT = /^-?(\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|\d*\.(\d{1,2}|\d{4,})|\d{4,}\.\d+)$/
const CLEAR_COMMA = /^-?(\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,}|\d*,(\d{1,2}|\d{4,})|\d{4,},\d+)$/

/** Returns the decimal mark that a number shows: undefined for one such as 1,250 or 1.250, whose mark may separate thousands. */
export function markOf(text: string): DecimalMark | undefined {
  if (CLEAR_POINT.test(text)) return 'point'
  return CLEAR_COMMA.test(text) ? 'comma' : undefined
}

/** Returns a percentage, such as 85%, as a fraction; undefined for other texts. */
export function fractionOf(text: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,6})?) ?%$/.exec(text) ?? []
  return digits === undefined ? undefined : Number((Number(digits) / 100).toPrecision(12))
}
