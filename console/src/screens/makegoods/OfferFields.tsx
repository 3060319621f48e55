import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { NoticeMakegood } from '../../api/queries/makegoods.ts'
import type { Order } from '../../api/queries/orders.ts'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { lineOf, type Spot } from './texts.ts'

type Offer = NonNullable<NoticeMakegood['offers']>[number]

export interface OfferDraft {
  readonly product_id: string
  readonly date: string
  readonly units: number | string
  readonly spot_length: number | string
}

/** An offer that is like what it replaces, but for its date. */
export function draftOf(order: Order, spot: Spot | undefined): OfferDraft {
  const line = spot && lineOf(order, spot.unit_id)
  return { product_id: line?.product_id ?? '', date: '', units: spot?.units ?? 1, spot_length: line?.spot_length ?? 30 }
}

export function isWhole({ product_id, date, units, spot_length }: OfferDraft): boolean {
  return product_id !== '' && /^\d{4}-\d{2}-\d{2}$/.test(date) && Number(units) >= 1 && Number(spot_length) >= 1
}

export function offerOf({ product_id, date, units, spot_length }: OfferDraft): Offer {
  return { product_id, date, units: Number(units), spot_length: Number(spot_length) }
}

interface OfferFieldsProps {
  readonly order: Order
  readonly offer: OfferDraft
  readonly set: (next: OfferDraft) => void
  /** A refusal, whose faults below `at` are shown at their fields. */
  readonly error: unknown
  readonly at: string
}

/** What airs instead: a product of the order or another one, its date, units and length. */
export function OfferFields({ order, offer, set, error, at }: OfferFieldsProps) {
  const faults = faultsAt(error)
  const fault = (name: string) => faults(`${at}/${name}`).join(' ')
  const titles = new Map(order.line_items.map(({ product_id, product_title }) => [product_id, product_title || product_id]))
  return (
    <Group gap="xs" align="start" mb="sm">
      <TextInput
        label="Product"
        list="products-of-order"
        description={titles.get(offer.product_id)}
        value={offer.product_id}
        error={fault('product_id')}
        onChange={(event) => set({ ...offer, product_id: event.currentTarget.value.trim() })}
      />
      <datalist id="products-of-order">
        {[...titles].map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </datalist>
      <TextInput
        type="date"
        label="Date"
        value={offer.date}
        error={fault('date')}
        onChange={(event) => set({ ...offer, date: event.currentTarget.value })}
      />
      <NumberInput label="Units" w={90} min={1} value={offer.units} error={fault('units')} onChange={(units) => set({ ...offer, units })} />
      <NativeSelect
        label="Length in seconds"
        w={140}
        value={String(offer.spot_length)}
        error={fault('spot_length')}
        onChange={(event) => set({ ...offer, spot_length: event.currentTarget.value })}
        data={lengthsWith(offer.spot_length)}
      />
    </Group>
  )
}

function lengthsWith(own: number | string): string[] {
  return [...new Set([...LENGTHS, Number(own)])].sort((one, other) => one - other).map(String)
}

const LENGTHS = [10, 15, 30, 60, 90, 120]
