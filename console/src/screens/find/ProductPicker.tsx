import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { productTitle } from '../../api/productTitle.ts'
import { agreementList, type BuyerAgreement } from '../../api/queries/agreements.ts'
import type { CatalogProduct, SellerRow } from '../../api/queries/sellers.ts'
import { countText } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { airsText, DAYPARTS, type Daypart, daypartsOf } from './airs.ts'
import classes from './Find.module.css'
import { MAX_PICKS, type Pick, pickText } from './picks.ts'

interface ProductPickerProps {
  filterRef: Ref<HTMLInputElement>
  sellers: readonly SellerRow[]
  seller: SellerRow
  onSeller: (seller: string) => void
  agreement: string
  onAgreement: (agreement: string) => void
  products: readonly CatalogProduct[]
  picks: readonly Pick[]
  onPicks: (picks: readonly Pick[]) => void
}

/** Lists the sellers and their products; the chosen products are compared. */
export function ProductPicker(props: ProductPickerProps) {
  const { filterRef, sellers, seller, onSeller, agreement, onAgreement, products, picks, onPicks } = props
  const [filter, setFilter] = useState('')
  const { rows: agreements } = usePages(agreementList, agreementsOf)
  const ofSeller = agreements.filter((one) => one.seller === seller.seller)
  const [part, setPart] = useState<Daypart>()
  const shown = products.filter(
    (product) => isMatch(product, filter.trim().toLowerCase()) && (part === undefined || daypartsOf(product).has(part)),
  )
  return (
    <aside className={classes.picker} aria-label="Sellers and products">
      <NativeSelect
        size="xs"
        label="Seller"
        description={`Level ${seller.level}; takes ${seller.workflows.join(', ')} orders`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={seller.seller}
        onChange={(event) => onSeller(event.currentTarget.value)}
        data={sellers.map(({ seller: value, name }) => ({ value, label: name }))}
      />
      {ofSeller.length > 0 && (
        <NativeSelect
          size="xs"
          label="Prices"
          value={agreement}
          onChange={(event) => onAgreement(event.currentTarget.value)}
          data={[{ value: '', label: 'As published' }, ...ofSeller.map(({ agreement_id }) => agreement_id)]}
        />
      )}
      <TextInput
        ref={filterRef}
        size="xs"
        type="search"
        aria-label="Filter products"
        placeholder="Filter products"
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <Parts products={products} part={part} set={setPart} />
      <p className={classes.count} role="status">
        {picks.length} of {countText(MAX_PICKS, 'product')} compared
      </p>
      <ul className={classes.products} aria-label="Products">
        {shown.map((product) => (
          <ProductRow key={product.product_id} product={product} seller={seller.seller} picks={picks} onPicks={onPicks} />
        ))}
      </ul>
    </aside>
  )
}

interface PartsProps {
  products: readonly CatalogProduct[]
  part: Daypart | undefined
  set: (part: Daypart | undefined) => void
}

/** Narrows the products to those that air in a part of the day, if they differ in that. */
function Parts({ products, part, set }: PartsProps) {
  const there = new Set(products.flatMap((product) => [...daypartsOf(product)]))
  if (there.size < 2) return null
  return (
    <fieldset className={classes.parts} aria-label="Part of the day">
      {DAYPARTS.filter(({ id }) => there.has(id)).map(({ id, label }) => (
        <Button
          key={id}
          size="compact-xs"
          variant={id === part ? 'filled' : 'default'}
          aria-pressed={id === part}
          onClick={() => set(id === part ? undefined : id)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}

interface ProductRowProps {
  product: CatalogProduct
  seller: string
  picks: readonly Pick[]
  onPicks: (picks: readonly Pick[]) => void
}

function ProductRow({ product, seller, picks, onPicks }: ProductRowProps) {
  const { product_id, network, type, grains } = product
  const pick = { seller, product: product_id }
  const others = picks.filter((one) => pickText(one) !== pickText(pick))
  const isPicked = others.length < picks.length
  return (
    <li>
      <Checkbox
        size="xs"
        label={<Named name={productTitle(product)} id={product_id} />}
        description={[network, airsText(product), type.replaceAll('_', ' '), grains.join(', ')].filter(Boolean).join(' · ')}
        checked={isPicked}
        disabled={!isPicked && picks.length >= MAX_PICKS}
        onChange={() => onPicks(isPicked ? others : [...picks, pick])}
      />
    </li>
  )
}

function isMatch(product: CatalogProduct, filter: string): boolean {
  const { product_id, network, type, name } = product
  return [product_id, productTitle(product) ?? '', String(name ?? ''), network, type].some((text) => text.toLowerCase().includes(filter))
}

function agreementsOf({ items }: { items: BuyerAgreement[] }): BuyerAgreement[] {
  return items
}
