import classes from './figures.module.css'

const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
const COUNT = new Intl.NumberFormat('en-US')

/** Shows an amount from the API, never one computed here: `USD 4,200.00`. */
export function Money({ amount, currency }: { amount: number; currency?: string | undefined }) {
  return <span className={classes.figure}>{moneyText(amount, currency)}</span>
}

/** The price of a line on its own basis: per unit, or per thousand impressions. */
export function Price({ rate, currency = false }: { rate: { unit_cost?: number; cpm?: number; currency: string }; currency?: boolean }) {
  return <span className={classes.figure}>{priceText(rate, currency)}</span>
}

export function moneyText(amount: number, currency?: string): string {
  return currency === undefined ? AMOUNT.format(amount) : `${currency} ${AMOUNT.format(amount)}`
}

export function priceText(
  { unit_cost, cpm, currency }: { unit_cost?: number; cpm?: number; currency: string },
  withCurrency = false,
): string {
  const shown = withCurrency ? currency : undefined
  if (unit_cost !== undefined) return moneyText(unit_cost, shown)
  return cpm === undefined ? 'no price' : `${moneyText(cpm, shown)} cpm`
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`
}
