import { moneyText } from '../../client/src/index.ts'

/** Writes an amount exactly, with two decimals or as many as it has. */
export function amount(value: number): string {
  const [whole = '', decimals = ''] = moneyText(value).split('.')
  return `${whole}.${decimals.padEnd(2, '0')}`
}
