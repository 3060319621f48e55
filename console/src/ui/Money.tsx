import classes from './figures.module.css'
import { decimalPlaces } from './minorUnits.ts'

/** The formats of amounts, by the decimal places that they have at least. */
const AMOUNTS = [0, 1, 2, 3, 4].map((places) => new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: 6 }))
const COUNT = new Intl.NumberFormat('en-US')

/** Shows an amount from the API, never one computed here: `USD 4,200.00`, or `JPY 4,200`; `bare` where the currency stands beside it. */
export function Money({ amount, currency, bare = false }: { amount: number; currency: string | undefined; bare?: boolean }) {
  return (
    <span className={classes.figure}>{bare || currency === undefined ? figureText(amount, currency) : moneyText(amount, currency)}</span>
  )
}

/** The price of a line on its own basis: per unit, or per thousand impressions. */
export function Price({ rate, currency = false }: { rate: { unit_cost?: number; cpm?: number; currency: string }; currency?: boolean }) {
  return <span className={classes.figure}>{priceText(rate, currency)}</span>
}

export function moneyText(amount: number, currency: string): string {
  return `${currency} ${figureText(amount, currency)}`
}

/** An amount without its currency, with the decimal places of it; with two if no currency is known. */
export function figureText(amount: number, currency?: string): string {
  return AMOUNTS[decimalPlaces(currency)]?.format(amount) ?? String(amount)
}

export function priceText(
  { unit_cost, cpm, currency }: { unit_cost?: number; cpm?: number; currency: string },
  withCurrency = false,
): string {
  const text = (cost: number) => (withCurrency ? moneyText(cost, currency) : figureText(cost, currency))
  if (unit_cost !== undefined) return text(unit_cost)
  return cpm === undefined ? 'no price' : `${text(cpm)} cpm`
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`
}
