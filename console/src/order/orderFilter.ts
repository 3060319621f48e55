import type { Order, OrderFilter, Side } from '../api/queries/orders.ts'
import { oneOf, only, text } from '../ui/search.ts'

/** The filters that the queue and the order book share, as search parameters of the address. */
export interface FilterSearch {
  q?: string
  buyer?: string
  seller?: string
  advertiser?: string
  workflow?: Order['workflow']
  overdue?: boolean
  from?: string
  to?: string
}

/** A change of the search parameters; an undefined value removes its parameter. */
export type FilterChange = { [Key in keyof FilterSearch]?: FilterSearch[Key] | undefined }

export const WORKFLOWS: readonly Order['workflow'][] = ['catalog', 'proposal', 'document']

/** Reads the filter from the search parameters, and leaves out parameters that are not filters. */
export function filterSearch(search: Record<string, unknown>): FilterSearch {
  const { workflow, overdue, from, to } = search
  return {
    ...text('q', search.q),
    ...text('buyer', search.buyer),
    ...text('seller', search.seller),
    ...text('advertiser', search.advertiser),
    ...oneOf('workflow', workflow, WORKFLOWS),
    ...only('overdue', overdue, isBoolean),
    ...only('from', from, isDate),
    ...only('to', to, isDate),
  }
}

/** Returns the filter with the API's names, without the text `q`, which each screen sends itself. */
export function apiFilter(side: Side, { buyer, seller, advertiser, workflow, overdue, from, to }: FilterSearch): OrderFilter {
  return {
    ...(side === 'seller' && buyer !== undefined && { buyer }),
    ...(side === 'buyer' && seller !== undefined && { seller }),
    ...(advertiser !== undefined && { advertiser_id: advertiser }),
    ...(workflow !== undefined && { workflow }),
    ...(overdue !== undefined && { overdue }),
    ...(from !== undefined && { air_from: from }),
    ...(to !== undefined && { air_to: to }),
  }
}

const FIELDS = ['buyer', 'seller', 'advertiser', 'workflow', 'overdue', 'from', 'to'] as const

/** Counts the filters that are set, without the text. */
export function filterCount(search: FilterSearch): number {
  return FIELDS.filter((name) => search[name] !== undefined).length
}

export function isFiltered(search: FilterSearch): boolean {
  return search.q !== undefined || filterCount(search) > 0
}

/** A change of the search parameters that clears every filter. */
export const NO_FILTER = Object.fromEntries(['q', ...FIELDS].map((name) => [name, undefined])) as FilterChange

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}
