import type { Product } from '../../contract/product.ts'
import type { REPORTING_DAYPARTS, Weekday } from '../../contract/vocabulary.ts'
import type { IsoDate } from '../calendar.ts'
import { productTitle } from '../lines/productTitle.ts'
import type { OrderState } from '../order/state.ts'

/** The names and windows that a document shows and an order does not contain. They are frozen with the order's first document. */
export interface OrderDescriptors {
  /** The names of the two tenants. */
  agency: string
  seller: string
  /** The descriptions by product_id. */
  products: Record<string, ProductDescriptor>
}

export interface ProductDescriptor {
  title: string
  daypart?: (typeof REPORTING_DAYPARTS)[number]
  windows: AirWindow[]
}

/** A window on some weekdays or on one date. An end before the start is after midnight. */
export interface AirWindow {
  days?: Weekday[]
  date?: IsoDate
  start: string
  end: string
}

/** Describes the products that an order booked. For a program it keeps only the booked occurrences. */
export function describeOrder(
  { lines }: Pick<OrderState, 'lines'>,
  names: Pick<OrderDescriptors, 'agency' | 'seller'>,
  products: readonly Product[],
): OrderDescriptors {
  const described: [string, ProductDescriptor][] = []
  for (const product of products) {
    const dates = lines
      .filter(({ product_id }) => product_id === product.product_id)
      .flatMap(({ allocation }) => allocation.map(({ date }) => date))
    if (dates.length > 0) described.push([product.product_id, describeProduct(product, new Set(dates))])
  }
  return { ...names, products: Object.fromEntries(described) }
}

function describeProduct(product: Product, dates: ReadonlySet<IsoDate>): ProductDescriptor {
  const daypart = product.reporting_dayparts?.[0]
  return {
    title: productTitle(product) ?? product.product_id,
    ...(daypart === undefined ? {} : { daypart }),
    windows: windowsOf(product, dates),
  }
}

/** Returns the windows of a product; for a program, its occurrences on some dates. */
export function windowsOf(product: Product, dates: ReadonlySet<IsoDate>): AirWindow[] {
  switch (product.type) {
    case 'daypart': {
      const { days, start, end } = product.definition
      return [{ days, start, end }]
    }
    case 'rotator':
      return product.definition.windows.map(({ days, start, end }) => ({ days, start, end }))
    case 'program':
      return product.definition.occurrences.filter(({ date }) => dates.has(date)).map(({ date, start, end }) => ({ date, start, end }))
  }
}
