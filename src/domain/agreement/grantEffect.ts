import type { Agreement, GrantEffect } from '../../contract/agreement.ts'
import type { Product } from '../../contract/product.ts'
import type { IsoDate } from '../calendar.ts'
import { productTitle } from '../lines/productTitle.ts'
import { type Disclosure, disclosureFor, overridesOf } from './disclosure.ts'
import { isVisibleUnder } from './visibleProducts.ts'

/** A product of a seller, with the only buyer that it was made for, if any. */
export type OwnProduct = Product & { readonly minted_for?: string }

/** The agreements in force between a seller and a buyer, before and after one of them is granted or changed. */
export interface GrantTerms {
  readonly granted: Agreement
  readonly current: readonly Agreement[]
  readonly newBuyer: boolean
  readonly today: IsoDate
}

const MAX_CHANGES = 50
const MAX_UNKNOWN = 100

/** Returns the day on which a grant is compared with what was before: today, or the first day of the agreement if that is later. */
export function comparedOn({ effective }: Pick<Agreement, 'effective'>, today: IsoDate): IsoDate {
  return effective.start > today ? effective.start : today
}

/** Adds up, product by product, what the buyer of an agreement would see of a catalog before and after the grant. */
export class EffectOfGrant {
  readonly #terms: GrantTerms
  readonly #before: ReturnType<typeof sightUnder>
  readonly #after: ReturnType<typeof sightUnder>
  readonly #unknown: Set<string>
  readonly #sums = { before: nothing(), after: nothing() }
  readonly #changes: GrantEffect['changes'] = []
  #changed = 0

  constructor(terms: GrantTerms) {
    const { granted, current, today } = terms
    const day = comparedOn(granted, today)
    const others = current.filter(({ agreement_id }) => agreement_id !== granted.agreement_id)
    const isInForce = granted.status === 'active' && granted.effective.start <= day && day <= granted.effective.end
    this.#terms = terms
    this.#before = sightUnder(current, granted)
    this.#after = sightUnder(isInForce ? [...others, granted] : others, granted)
    this.#unknown = new Set(namesIn(granted))
  }

  /** Takes the next product of the seller's catalog into account. */
  add(product: OwnProduct): void {
    this.#unknown.delete(product.product_id)
    if (product.minted_for !== undefined && product.minted_for !== this.#terms.granted.buyer_entity) return
    const [before, after] = [this.#before(product), this.#after(product)]
    count(this.#sums.before, before)
    count(this.#sums.after, after)
    if (before?.pricing_policy === after?.pricing_policy && before?.avails_policy === after?.avails_policy) return
    this.#changed += 1
    if (this.#changes.length === MAX_CHANGES) return
    const product_title = productTitle(product)
    this.#changes.push({ product_id: product.product_id, ...(product_title === undefined ? {} : { product_title }), before, after })
  }

  result(): GrantEffect {
    const { granted, newBuyer, today } = this.#terms
    return {
      as_of: comparedOn(granted, today),
      new_buyer: newBuyer,
      unknown_products: [...this.#unknown].slice(0, MAX_UNKNOWN),
      ...this.#sums,
      changed: this.#changed,
      changes: this.#changes,
    }
  }
}

/** Returns what a buyer sees of a product under some agreements: it presents the granted one, if that is among them. */
function sightUnder(agreements: readonly Agreement[], granted: Agreement): (product: Product) => Disclosure | null {
  const isVisible = isVisibleUnder(agreements)
  const isPresented = agreements.some(({ agreement_id }) => agreement_id === granted.agreement_id)
  const overrides = overridesOf(agreements, isPresented ? granted.agreement_id : undefined)
  return (product) => (product.status !== 'withdrawn' && isVisible(product) ? disclosureFor(product, overrides) : null)
}

function nothing(): GrantEffect['before'] {
  return { products: 0, priced: 0, with_avails: 0 }
}

function count(sums: GrantEffect['before'], seen: Disclosure | null): void {
  if (seen === null) return
  sums.products += 1
  if (seen.pricing_policy === 'published') sums.priced += 1
  if (seen.avails_policy === 'published') sums.with_avails += 1
}

/** Returns the products that an agreement names. */
function namesIn({ catalog_scope, disclosure_overrides = [], posting_policy_overrides = [] }: Agreement): string[] {
  const scope = catalog_scope === '*' ? [] : catalog_scope
  return [...scope, ...[...disclosure_overrides, ...posting_policy_overrides].map(({ product_id }) => product_id)].filter(
    (name) => name !== '*',
  )
}
