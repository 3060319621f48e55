import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { availsAsks, ownAvails, ownCatalog, type Product } from '../../api/queries/publishing.ts'
import { byPeriod, cellText, keyOf } from './availDrafts.ts'

const ASKS_EVERY_MS = 30_000

/** Reads the products on sale, their published avails in the shown weeks, and the open requests of buyers. */
export function useAvailsMap(weeks: readonly string[], q: string, by: 'sellout' | 'count') {
  const catalog = useQuery(ownCatalog)
  const read = useQuery(ownAvails(`${weeks[0]}..${weeks.at(-1)}`))
  const { data: asks = [] } = useQuery({ ...availsAsks, refetchInterval: ASKS_EVERY_MS })
  const avails = useMemo(() => byPeriod(read.data ?? []), [read.data])
  const asked = useMemo(() => new Set(asks.map(({ product_id, period }) => keyOf(product_id, period.start))), [asks])
  const byId = useMemo(() => soldById(catalog.data?.products ?? []), [catalog.data])
  const products = useMemo(() => [...byId.keys()].filter((id) => id.toLowerCase().includes(q.trim().toLowerCase())), [byId, q])
  const cellOf = useMemo(
    () => (product: string, week: string) => {
      const key = keyOf(product, week)
      return cellText(product, week, avails.get(key), by, asked.has(key))
    },
    [avails, by, asked],
  )
  return {
    products,
    asks,
    avails,
    productOf: (id: string | undefined) => (id === undefined ? undefined : byId.get(id)),
    cellOf,
    isPending: catalog.isPending || read.isPending,
    error: catalog.error ?? read.error,
    retry: () => void Promise.all([catalog.refetch(), read.refetch()]),
  }
}

function soldById(products: readonly Product[]): ReadonlyMap<string, Product> {
  return new Map(products.flatMap((product) => (product.status === 'withdrawn' ? [] : [[product.product_id, product] as const])))
}
