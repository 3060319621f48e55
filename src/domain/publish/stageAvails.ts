import type { Avail } from '../../contract/avail.ts'
import type { EntryError, Product } from '../../contract/product.ts'
import type { BuyType } from '../../contract/vocabulary.ts'
import { isPeriodStart } from '../calendar.ts'
import { byIndex, invalidEntry, type Parsed, type Staged, unknownProduct } from './staged.ts'

/**
 * Checks avails against the seller's catalog. Each has exactly one count, in the product's denomination; otherwise INVALID_ENTRY names the
 * expected count (contract, Avail; One write model: counts). A repeated period is refused.
 */
export function stageAvails(
  products: ReadonlyMap<string, Pick<Product, 'buy_types'>>,
  avails: readonly Parsed<Avail>[],
): Staged<Parsed<Avail>> {
  const accepted: Parsed<Avail>[] = []
  const errors: EntryError[] = []
  const first = new Map<string, number>()
  const faultOf = availRules(products)
  for (const avail of avails) {
    const error = faultOf(avail) ?? repeated(first, avail)
    if (error === undefined) accepted.push(avail)
    else errors.push(error)
  }
  return { accepted, errors: errors.sort(byIndex), warnings: [] }
}

/** Returns the faults of one avail alone, independent of the others in the request. */
export function availRules(products: ReadonlyMap<string, Pick<Product, 'buy_types'>>): (avail: Parsed<Avail>) => EntryError | undefined {
  const exists = existingPeriods()
  return (avail) => entryFault(products, avail, exists)
}

/** Returns the denomination of a product's avails: units if it is sold only by guaranteed audience, otherwise spots (contract, Avail). */
export function denomination({ buy_types }: { readonly buy_types: readonly BuyType[] }): 'spots' | 'units' {
  return buy_types.every((buyType) => buyType === 'audience_guaranteed') ? 'units' : 'spots'
}

function entryFault(
  products: ReadonlyMap<string, Pick<Product, 'buy_types'>>,
  { index, value: avail }: Parsed<Avail>,
  exists: (period: Avail['period']) => boolean,
): EntryError | undefined {
  const { product_id, period } = avail
  const product = products.get(product_id)
  if (product === undefined) return unknownProduct(index, product_id)
  if (!exists(period)) {
    return invalidEntry(index, 'period.start', period.start, `${period.start} is not an existing ${period.grain}.`)
  }
  const counts = denomination(product)
  const other = counts === 'spots' ? 'units' : 'spots'
  if (avail[counts] === undefined || avail[other] !== undefined) {
    return invalidEntry(
      index,
      `${counts}.available`,
      avail[counts]?.available,
      `${product_id} must have ${counts}.available as its only count.`,
    )
  }
  if (counts === 'units' && avail.impressions !== undefined) {
    return invalidEntry(
      index,
      'impressions',
      undefined,
      `impressions must not be sent for ${product_id}, which is sold only by guaranteed audience.`,
    )
  }
  return undefined
}

/** Returns true if a period exists. Memoized: calendar arithmetic is slow, and a publish repeats a few periods. */
function existingPeriods(): (period: Avail['period']) => boolean {
  const known = { day: new Map<string, boolean>(), week: new Map<string, boolean>(), month: new Map<string, boolean>() }
  return ({ grain, start }) => {
    const found = known[grain].get(start)
    if (found !== undefined) return found
    const exists = isPeriodStart(grain, start)
    known[grain].set(start, exists)
    return exists
  }
}

function repeated(first: Map<string, number>, { index, value: { product_id, period } }: Parsed<Avail>): EntryError | undefined {
  const key = JSON.stringify([product_id, period.grain, period.start])
  const earlier = first.get(key)
  if (earlier !== undefined) return invalidEntry(index, 'period.start', period.start, `${period.start} is already in entry ${earlier}.`)
  first.set(key, index)
  return undefined
}
