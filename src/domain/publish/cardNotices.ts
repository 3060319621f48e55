import type { MarketClass } from '../../contract/vocabulary.ts'
import { pricesSeenBy, type Readers, splitByMinted, type Visible } from '../discovery/audience.ts'
import type { Effective } from './stageRateCard.ts'

/** The data of an event for a group of tenants that see the same. */
export type Shown = { readonly to: readonly string[]; readonly data: object }

export interface Card {
  readonly commit: string
  readonly effective: Effective
  readonly agreement_id: string | null
}

/** Addresses catalog.rate_card_published to every buyer that may see any of its prices, with only their products (choices, Non-lifecycle data). */
export function cardPublished({ agreement_id, ...card }: Card, products: readonly Visible[], audience: readonly Readers[]): Shown[] {
  return splitByMinted(audience, products).flatMap((readers) => {
    const product_ids = pricesSeenBy(readers, products, agreement_id).map(({ product_id }) => product_id)
    if (product_ids.length === 0) return []
    return [{ to: readers.buyers, data: { ...card, ...(agreement_id !== null && { agreement_id }), product_ids } }]
  })
}

/** The window of prices of one commit that open and close together. Stamps are ISO UTC; `opens` null: open from the start. */
export interface RateWindow {
  readonly product_id: string
  readonly week: string
  readonly market_class: MarketClass
  readonly opens: string | null
  readonly closes: string
  readonly agreement_id: string | null
  readonly locked_rate_ids: readonly string[]
}

/** Addresses catalog.window_opened to every buyer that may see the prices. `openedAt` replaces a missing `opens`. */
export function windowOpened(window: RateWindow, product: Visible, audience: readonly Readers[], openedAt: string): Shown[] {
  const { agreement_id, opens, ...rest } = window
  const to = splitByMinted(audience, [product]).flatMap((readers) =>
    pricesSeenBy(readers, [product], agreement_id).length > 0 ? readers.buyers : [],
  )
  return to.length === 0 ? [] : [{ to, data: { ...rest, opens: opens ?? openedAt } }]
}
