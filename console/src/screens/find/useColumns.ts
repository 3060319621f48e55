import { useQueries } from '@tanstack/react-query'
import { serverNow } from '../../api/clock.ts'
import { productTitle } from '../../api/productTitle.ts'
import { availsRead, catalogRead } from '../../api/queries/sellers.ts'
import { weekAfter, weekOf } from '../../ui/weeks.ts'
import { airsText } from './airs.ts'
import type { Column, Pick } from './picks.ts'

/** One read covers half a year. */
const WEEKS = 26

/** Reads the published data of the compared products. An agreement is presented only to its own seller. */
export function useColumns(
  picks: readonly Pick[],
  wantedFrom: string | undefined,
  presented: { seller: string; agreement: string },
): { columns: Column[]; from: string } {
  const from = wantedFrom ?? weekOf(serverNow())
  const weeks = `${from}..${weekAfter(from, WEEKS - 1)}`
  const agreementFor = (seller: string) => (seller === presented.seller ? presented.agreement : '')
  const catalogs = useQueries({ queries: picks.map(({ seller }) => catalogRead(seller, agreementFor(seller))) })
  const avails = useQueries({
    queries: picks.map(({ seller, product }) => availsRead({ seller, product, weeks, agreement: agreementFor(seller) })),
  })
  const columns = picks.map((pick, index) => {
    const catalog = catalogs[index]?.data
    const read = avails[index]
    const product = catalog?.products.find(({ product_id }) => product_id === pick.product)
    return {
      ...pick,
      rateVersion: catalog?.rate_version ?? '',
      network: product?.network ?? '',
      title: productTitle(product),
      airs: product && airsText(product),
      avails: read?.data ?? [],
      isPending: read?.isPending ?? true,
      error: read?.error ?? catalogs[index]?.error,
    }
  })
  return { columns, from }
}
