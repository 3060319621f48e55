import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import { disclosureFor, overridesOf } from '../agreement/disclosure.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import { addDays, datesOfPeriod } from '../calendar.ts'
import { byProduct } from '../publish/byProduct.ts'
import type { Readers } from './audience.ts'

/** A buyer's open request for avails. */
export interface OpenRequest {
  readonly request_id: string
  readonly buyer_entity: string
  readonly product_id: string
  readonly period: Period
  /** The agreement presented with the request. */
  readonly agreement_id: string | null
}

export interface Answer {
  readonly request: OpenRequest
  /** The published periods that cover the requested one. */
  readonly periods: readonly Period[]
}

/**
 * Returns the requests that a publish of avails answers: its periods cover every date of the request. A product that is withheld from the
 * buyer, or no longer visible to it, is not answered, since that would disclose it (choices, Avails request).
 */
export function answerRequests(
  requests: readonly OpenRequest[],
  avails: readonly { readonly product_id: string; readonly period: Period }[],
  products: ReadonlyMap<string, Pick<Product, 'product_id' | 'visibility' | 'disclosure'>>,
  audience: readonly Readers[],
): Answer[] {
  const asked = new Set(requests.map(({ product_id }) => product_id))
  const sent = byProduct(avails.filter(({ product_id }) => asked.has(product_id)))
  return requests.flatMap((request) => {
    const readers = audience.find(({ buyers }) => buyers.includes(request.buyer_entity))
    const product = products.get(request.product_id)
    if (product === undefined || readers === undefined || !mayBeTold(product, readers, request)) return []
    const periods = covering(
      request.period,
      (sent.get(request.product_id) ?? []).map(({ period }) => period),
    )
    return periods === undefined ? [] : [{ request, periods }]
  })
}

/**
 * Returns the requests of its buyer that a plan answers. A plan is for that buyer only, so it may answer withheld products (contract, One write model: optional avails).
 */
export function answeredByPlan(
  requests: readonly OpenRequest[],
  buyerEntity: string,
  lines: readonly { readonly product_id: string; readonly period: Period }[],
): Answer[] {
  return requests.flatMap((request) => {
    if (request.buyer_entity !== buyerEntity) return []
    const sent = lines.filter(({ product_id }) => product_id === request.product_id).map(({ period }) => period)
    const periods = covering(request.period, distinct(sent))
    return periods === undefined ? [] : [{ request, periods }]
  })
}

/** Removes repeated periods: several lines of a plan may book the same one. */
function distinct(periods: readonly Period[]): Period[] {
  return [...new Map(periods.map((period) => [`${period.grain} ${period.start}`, period])).values()]
}

function mayBeTold(
  product: Pick<Product, 'product_id' | 'visibility' | 'disclosure'>,
  { agreements }: Readers,
  { agreement_id }: OpenRequest,
): boolean {
  if (visibleProducts([product], agreements).length === 0) return false
  return disclosureFor(product, overridesOf(agreements, agreement_id ?? undefined)).avails_policy !== 'withheld'
}

/** Returns the periods that overlap the requested one if together they cover all of its dates; otherwise undefined. */
function covering(asked: Period, sent: readonly Period[]): Period[] | undefined {
  const { first, last } = datesOfPeriod(asked.grain, asked.start)
  const touching = sent
    .map((period) => ({ period, dates: datesOfPeriod(period.grain, period.start) }))
    .filter(({ dates }) => dates.first <= last && dates.last >= first)
    .sort((a, b) => (a.dates.first < b.dates.first ? -1 : a.dates.first > b.dates.first ? 1 : 0))
  let next = first
  for (const { dates } of touching) {
    if (dates.first > next) return undefined
    if (dates.last >= next) next = addDays(dates.last, 1)
  }
  return next > last ? touching.map(({ period }) => period) : undefined
}
