import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type SellerRow = Schemas['SellerList']['sellers'][number]
export type CatalogProduct = Schemas['CatalogRead']['products'][number]
export type AvailEntry = Schemas['AvailsRead']['avails'][number]
export type AvailRate = Schemas['AvailRate']
export type Period = Schemas['PeriodOutput']

const PAGE = 200

/** The sellers from which the buyer may order. */
export const sellerList = infiniteQueryOptions({
  queryKey: ['sellers', 'list'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }
    return (await resultOf(api.GET('/sellers', { params: { query }, signal }))).data
  },
  getNextPageParam: nextCursor,
})

/** The catalog that a seller shows this buyer, under an agreement if one is presented. */
export function catalogRead(seller: string, agreement = '') {
  return queryOptions({
    queryKey: ['sellers', seller, 'catalog', agreement] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { seller }, query: agreement === '' ? {} : { agreement } }
      return (await resultOf(api.GET('/sellers/{seller}/catalog', { params, signal }))).data
    },
  })
}

export interface AvailsScope {
  readonly seller: string
  readonly product: string
  /** A range of ISO weeks, such as `2027-W01..2027-W13`. */
  readonly weeks: string
  readonly agreement: string
}

/** The availability and prices of a product in a range of weeks. */
export function availsRead({ seller, product, weeks, agreement }: AvailsScope) {
  return queryOptions({
    queryKey: ['sellers', seller, 'avails', product, weeks, agreement] as const,
    queryFn: async ({ signal }) => {
      const query = { product_id: product, weeks, ...(agreement !== '' && { agreement }) }
      return (await resultOf(api.GET('/sellers/{seller}/avails', { params: { path: { seller }, query }, signal }))).data.avails
    },
  })
}

/** Asks a seller for avails that it does not disclose. Repeating an open question makes no second request. */
export async function askForAvails(seller: string, body: Schemas['AvailsRequest']) {
  return (await resultOf(api.POST('/sellers/{seller}/avails/requests', { params: { path: { seller } }, body }))).data
}
