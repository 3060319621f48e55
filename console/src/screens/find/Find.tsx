import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { catalogRead, type Period, type SellerRow, sellerList } from '../../api/queries/sellers.ts'
import { newBasket, withUnits } from '../../basket/basket.ts'
import { useBaskets } from '../../basket/useBaskets.ts'
import type { FindSearch } from '../../routes/buying.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { AskDialog } from './AskDialog.tsx'
import classes from './Find.module.css'
import { FindBar } from './FindBar.tsx'
import { Offers } from './Offers.tsx'
import { PriceGrid } from './PriceGrid.tsx'
import { ProductPicker } from './ProductPicker.tsx'
import { type Column, choiceOf, firstPicks, offersOf, type Pick, picksOf, pickText } from './picks.ts'
import { useColumns } from './useColumns.ts'

const route = getRouteApi('/find')

/** Compares prices and avails of up to four products, from which the user fills baskets. */
export function Find() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { rows: sellers, list } = usePages(sellerList, sellersOf)
  const seller = sellers.find((one) => one.seller === search.seller) ?? sellers.find(({ level }) => level > 0) ?? sellers[0]
  const set = (next: FindSearch) =>
    void navigate({ from: '/find', to: '/find', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  return (
    <Page title="Find">
      <FaultAlert error={list.data === undefined ? list.error : null} retry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.isSuccess && seller === undefined && <Empty title="No seller yet">Sellers come here once they have published a catalog.</Empty>}
      {seller !== undefined && <Market sellers={sellers} seller={seller} search={search} set={set} />}
    </Page>
  )
}

interface MarketProps {
  sellers: readonly SellerRow[]
  seller: SellerRow
  search: FindSearch
  set: (next: FindSearch) => void
}

function Market({ sellers, seller, search, set }: MarketProps) {
  const filter = useRef<HTMLInputElement>(null)
  const { agreement = '' } = search
  const catalog = useQuery(catalogRead(seller.seller, agreement))
  const products = catalog.data?.products ?? []
  const picks = search.pick === undefined ? firstPicks(seller.seller, products) : picksOf(search.pick)
  const setPicks = (next: readonly Pick[]) => set({ pick: next.map(pickText) })
  useKeys('Find', [{ keys: '/', does: 'Filter the products', run: () => filter.current?.focus() }])
  return (
    <div className={classes.split}>
      <ProductPicker
        filterRef={filter}
        sellers={sellers}
        seller={seller}
        onSeller={(next) => set({ seller: next, agreement: '', ...(search.pick && { pick: search.pick }) })}
        agreement={agreement}
        onAgreement={(next) => set({ agreement: next })}
        products={products}
        picks={picks}
        onPicks={setPicks}
      />
      <div className={classes.main}>
        <FaultAlert error={catalog.data === undefined ? catalog.error : null} retry={() => void catalog.refetch()} />
        {catalog.isPending && <Loading />}
        {catalog.isSuccess && picks.length === 0 && <NoPicks seller={seller} hasProducts={products.length > 0} />}
        {picks.length > 0 && <Compare search={search} set={set} picks={picks} setPicks={setPicks} seller={seller.seller} />}
      </div>
    </div>
  )
}

interface CompareProps {
  search: FindSearch
  set: (next: FindSearch) => void
  picks: readonly Pick[]
  setPicks: (next: readonly Pick[]) => void
  seller: string
}

function Compare({ search, set, picks, setPicks, seller }: CompareProps) {
  const { agreement = '', grain: wanted = 'week' } = search
  const { columns, from } = useColumns(picks, search.from, { seller, agreement })
  const [asked, setAsked] = useState<{ column: Column; period: Period | undefined }>()
  const [touched, setTouched] = useState(seller)
  const [baskets, put] = useBaskets()
  const all = offersOf(columns, wanted)
  const grain = all.grains.includes(wanted) ? wanted : (all.grains[0] ?? wanted)
  const offers = grain === wanted ? all : offersOf(columns, grain)
  const choice = choiceOf(offers, search.length, search.offer)
  return (
    <>
      <Offers offers={offers} grain={grain} choice={choice} from={from} set={set} />
      <PriceGrid
        columns={columns}
        grain={grain}
        choice={choice}
        baskets={baskets}
        onAsk={(column, period) => setAsked({ column, period })}
        onRemove={(column) => setPicks(picks.filter((pick) => pickText(pick) !== pickText(column)))}
        onUnits={({ seller: of, product, title, network, rateVersion }, period, rate, units) => {
          const basket = baskets[of] ?? { ...newBasket(rateVersion), agreement: of === seller ? agreement : '' }
          put(
            of,
            withUnits(
              { ...basket, rate_version: rateVersion },
              { product_id: product, ...(title && { title }), network, period, rate },
              units,
            ),
          )
          setTouched(of)
        }}
      />
      <FindBar baskets={baskets} put={put} seller={touched} />
      {asked && <AskDialog {...asked} agreement={asked.column.seller === seller ? agreement : ''} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function NoPicks({ seller, hasProducts }: { seller: SellerRow; hasProducts: boolean }) {
  if (hasProducts) return <Empty title="Choose what to compare">Up to four products, of one seller or of several.</Empty>
  return (
    <Empty title={`${seller.name} shows you no product`}>It has published none yet, or sells by agreement: choose another seller.</Empty>
  )
}

function sellersOf({ sellers }: { sellers: SellerRow[] }): SellerRow[] {
  return sellers
}
