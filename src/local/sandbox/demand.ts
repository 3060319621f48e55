import type { AvailRate, AvailsRead } from '../../contract/avail.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { CatalogRead } from '../../contract/product.ts'
import type { ProposalRequest } from '../../contract/proposalRequest.ts'
import type { SandboxOrder } from '../../contract/sandbox.ts'
import { datesOfPeriod, mondayOf, weeksOfPeriod } from '../../domain/calendar.ts'
import { Refusal } from '../../domain/refusal.ts'

/** A line that the buyer of the sandbox orders, at a published price. */
export interface OrderedLine {
  readonly line: LineItem
  readonly rate: AvailRate
}

type Entry = AvailsRead['avails'][number]

/** Returns the lines of an order on demand, each at the first price of its product and week. Refuses what has no price, and names what has. */
export function linesToOrder({ products, lines }: Pick<SandboxOrder, 'products' | 'lines'>, avails: readonly Entry[]): OrderedLine[] {
  const priced = avails.filter(({ rates, state }) => rates.length > 0 && state !== 'unavailable')
  const possible = [...new Set(priced.map(({ product_id }) => product_id))]
  if (lines !== undefined) {
    return lines.map(({ product_id, period, units = 1 }, index) => {
      const weeks = weeksOfPeriod(period.grain, period.start)
      const entry = priced.find(
        (each) => each.product_id === product_id && weeks.includes(weeksOfPeriod(each.period.grain, each.period.start)[0] ?? ''),
      )
      return entry === undefined ? refuse(`lines.${index}.product_id`, product_id, possible) : lineOf(entry, units, period)
    })
  }
  if (possible.length === 0) return refuse('products', 'No product of yours', possible)
  return (products ?? possible.slice(0, 1)).map((product_id, index) => {
    const entry = priced.find((each) => each.product_id === product_id)
    return entry === undefined ? refuse(`products.${index}`, product_id, possible) : lineOf(entry, 1)
  })
}

function refuse(field: string, what: string, possible: readonly string[]): never {
  throw new Refusal('INVALID_INPUT', `${what} has no price and avails in the weeks asked for: publish a catalog, a rate card and avails.`, {
    field,
    possible: possible.slice(0, 100),
  })
}

function lineOf({ product_id, period, rates }: Entry, units: number, asked = period): OrderedLine {
  const rate = rates[0] as AvailRate
  const cost = rate.gross_rate_unit === undefined ? { cpm: rate.gross_rate_cpm } : { unit_cost: rate.gross_rate_unit }
  const guaranteed = rate.guaranteed_impressions === undefined ? {} : { guaranteed_impressions: rate.guaranteed_impressions }
  return {
    rate,
    line: {
      product_id,
      period: asked,
      units,
      spot_length: rate.spot_length,
      rate: {
        market_class: rate.market_class,
        advertiser_class: rate.advertiser_class,
        buy_type: rate.buy_type,
        ...(rate.clearance_tier === undefined ? {} : { clearance_tier: rate.clearance_tier }),
        ...cost,
        ...guaranteed,
        ...(rate.audience_code === undefined ? {} : { audience_code: rate.audience_code }),
        locked_rate_id: rate.locked_rate_id,
        currency: rate.currency,
      },
    },
  }
}

/** Returns the request for a plan of what these lines cost, around their products. */
export function proposalOf(lines: readonly OrderedLine[]): ProposalRequest {
  const dates = lines.map(({ line: { period } }) => datesOfPeriod(period.grain, period.start))
  const budget_gross = lines.reduce((sum, { line: { rate, units } }) => sum + (rate.unit_cost ?? rate.cpm ?? 0) * units, 0)
  return {
    request_type: 'open',
    brief: 'An order of the sandbox: plan around these products.',
    anchor_package_ids: [...new Set(lines.map(({ line }) => line.product_id))],
    budget_gross: Math.round(budget_gross * 100) / 100,
    flight: {
      start: dates.map(({ first }) => first).sort()[0] ?? '',
      end:
        dates
          .map(({ last }) => last)
          .sort()
          .at(-1) ?? '',
    },
  }
}

/** Returns the lines as a buysheet in csv, as agencies send them: a row each, a column for each week. */
export function buysheetOf(lines: readonly OrderedLine[], { products }: Pick<CatalogRead, 'products'>): string {
  const weekOfLine = ({ line }: OrderedLine) => mondayOf(weeksOfPeriod(line.period.grain, line.period.start)[0] ?? '')
  const mondays = [...new Set(lines.map(weekOfLine))].sort()
  const head = ['Program', 'Network', 'Buy Type', 'Class', 'Advertiser Class', 'Length', 'Rate', ...mondays]
  const rows = lines.map((ordered) => {
    const { line, rate } = ordered
    const product = products.find(({ product_id }) => product_id === line.product_id)
    const cost = rate.gross_rate_unit ?? rate.gross_rate_cpm ?? 0
    const units = mondays.map((monday) => (monday === weekOfLine(ordered) ? String(line.units) : ''))
    const cells = [
      line.product_id,
      product?.network ?? '',
      rate.buy_type,
      rate.market_class,
      rate.advertiser_class,
      `:${rate.spot_length}`,
      String(cost),
    ]
    return [...cells, ...units]
  })
  return [head, ...rows]
    .map((cells) => `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`)
    .join('')
}
