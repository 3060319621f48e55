import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { productTitle } from '../../api/productTitle.ts'
import { ownCatalog } from '../../api/queries/publishing.ts'
import type { CatalogProduct } from '../../api/queries/sellers.ts'
import { Icon } from '../../ui/icons.tsx'
import { itemsOf, itemsText } from '../../ui/tables.ts'

/** Stands for every product. */
const EVERY = '*'

/** The id of the list of the seller's own products, which fields suggest. */
export const PRODUCTS = 'own-products'

/** The seller's own products with their titles, for fields that name one. */
export function OwnProducts() {
  const { data } = useQuery(ownCatalog)
  return (
    <datalist id={PRODUCTS}>
      <option value={EVERY}>every product</option>
      {(data?.products ?? []).map((product) => (
        <option key={product.product_id} value={product.product_id}>
          {productTitle(product as CatalogProduct)}
        </option>
      ))}
    </datalist>
  )
}

interface ScopeFieldProps {
  readonly label: string
  readonly error: string
  /** `*`, or the ids in the form of `itemsOf`. */
  readonly value: string
  readonly set: (text: string) => void
}

/** The products sold by agreement that an agreement opens: every one, or those that are named. */
export function ScopeField({ label, error, value, set }: ScopeFieldProps) {
  const [typed, setTyped] = useState('')
  const isEvery = value.trim() === EVERY
  const items = isEvery ? [] : itemsOf(value)
  const add = () => {
    const id = typed.trim()
    if (id === '') return
    set(itemsText([...items.filter((one) => one !== id), id]))
    setTyped('')
  }
  return (
    <div>
      <Checkbox
        size="xs"
        mb={4}
        label="Every product that is sold by agreement"
        checked={isEvery}
        onChange={(event) => set(event.currentTarget.checked ? EVERY : '')}
      />
      {!isEvery && (
        <Group gap="xs" align="end">
          <TextInput
            size="xs"
            label={label}
            description={items.length === 0 ? 'None yet: it opens no product.' : undefined}
            list={PRODUCTS}
            value={typed}
            error={error}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || typed.trim() === '') return
              event.preventDefault()
              add()
            }}
          />
          <Button size="xs" variant="default" onClick={add}>
            Add the product
          </Button>
          {items.map((id) => (
            <Button
              key={id}
              size="compact-xs"
              variant="light"
              aria-label={`${id}: take it out`}
              rightSection={<Icon name="cross" size={12} />}
              onClick={() => set(itemsText(items.filter((one) => one !== id)))}
            >
              {id}
            </Button>
          ))}
        </Group>
      )}
    </div>
  )
}
