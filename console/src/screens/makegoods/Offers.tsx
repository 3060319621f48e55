import type { Makegood } from '../../api/queries/makegoods.ts'
import type { Order } from '../../api/queries/orders.ts'
import { countText } from '../../ui/Money.tsx'
import { AirDate } from '../../ui/Period.tsx'
import classes from './Makegoods.module.css'
import { titleOf } from './texts.ts'

type Offer = Makegood['offers'][number]

interface OffersProps {
  readonly offers: readonly (Omit<Offer, 'replaces'> & { readonly replaces: readonly { unit_id: string; date: string; units: number }[] })[]
  readonly order: Order
  /** Set where one of several can be chosen. */
  readonly choice?: { readonly chosen: string | undefined; readonly choose: (offerId: string) => void; readonly name: string }
}

/** Offers as alternatives: what airs, when, and what it replaces. */
export function Offers({ offers, order, choice }: OffersProps) {
  return (
    <ul className={classes.offers}>
      {offers.map((offer) => (
        <li key={offer.offer_id}>
          {choice === undefined ? (
            <What order={order} offer={offer} />
          ) : (
            <label>
              <input
                type="radio"
                name={choice.name}
                checked={choice.chosen === offer.offer_id}
                onChange={() => choice.choose(offer.offer_id)}
              />{' '}
              <What order={order} offer={offer} />
            </label>
          )}
          <span className={classes.dimmed}>
            {offer.network} {offer.windows.map(({ start, end }) => `${start}-${end}`).join(', ')}
            {offer.impressions !== undefined && `, ${countText(offer.impressions, 'impression')} a unit`}; replaces{' '}
            {offer.replaces.map(({ unit_id, date, units }) => `${units} of ${titleOf(order, unit_id)} on ${date}`).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function What({ order, offer }: { order: Order; offer: OffersProps['offers'][number] }) {
  return (
    <>
      {countText(offer.units, 'unit')} of {productText(order, offer)} on <AirDate date={offer.date} />, {offer.spot_length} s
    </>
  )
}

/** The title of a product that the order has a line of, else its id. */
export function productText({ line_items }: Order, { product_id }: Pick<Offer, 'product_id'>): string {
  return line_items.find((line) => line.product_id === product_id)?.product_title || product_id
}
