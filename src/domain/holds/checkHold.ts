import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { CreateHold, HoldLine } from '../../contract/hold.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { type Disclosure, disclosureFor, overridesOf } from '../agreement/disclosure.ts'
import { permissionsOf } from '../agreement/permissions.ts'
import { sellsAt } from '../agreement/quotedPricing.ts'
import { refuseOutsider } from '../agreement/refuseOutsider.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import { weeksOfPeriod } from '../calendar.ts'
import { bookedDates } from '../lines/allocation.ts'
import { availsFor, isUnavailable, type PublishedAvail } from '../lines/availability.ts'
import { checkDates } from '../lines/checkLine.ts'
import { checkGrain, checkStart } from '../lines/grain.ts'
import { invalid, Refusal, refuseIfAny } from '../refusal.ts'

/** The published and agreed state against which a hold is checked. */
export interface HoldIntake {
  seller: { profile: SellerProfile } | undefined
  standing: Pick<BuyerStanding, 'status' | 'allowlisted'>
  agreements: readonly Agreement[]
  products: readonly Product[]
  avails: readonly (PublishedAvail & { readonly count?: number | null })[]
  /** The prices that this buyer could order at now, for the products and weeks of the hold. */
  priced: readonly { product_id: string; week: string; spot_length: number; quoted: boolean }[]
}

/**
 * Refuses an invalid hold: FORBIDDEN for a buyer that may not order, INVALID_INPUT with every fault, INVENTORY_UNAVAILABLE if the published
 * inventory is unavailable or less than requested (choices, Holds).
 */
export function checkHold(request: CreateHold, intake: HoldIntake): void {
  const { seller, standing, agreements, avails } = intake
  refuseOutsider(request.seller, seller?.profile, standing)
  if (seller === undefined) refuseIfAny([invalid('seller', `${request.seller} is not a seller on this marketplace.`)])
  if (!seller?.profile.holds) refuseIfAny([invalid('seller', `${request.seller} does not accept holds.`)])
  const products = visibleProducts(intake.products, agreements)
  const permitted = permissionsOf(agreements).grains
  refuseIfAny(request.lines.flatMap((line, index) => checkLine(line, `lines.${index}`, request.seller, products, permitted)))
  const overrides = overridesOf(agreements, undefined)
  refuseIfAny(
    request.lines.flatMap((line, index) => {
      const product = products.find(({ product_id }) => product_id === line.product_id)
      return isPriced(line, intake.priced, product && disclosureFor(product, overrides)) ? [] : [invalid(`lines.${index}`, unpriced(line))]
    }),
  )
  const none = request.lines.flatMap((line, index) => (isUnavailable(line, avails) || isBeyond(line, request.lines, avails) ? [index] : []))
  if (none.length > 0) {
    throw new Refusal('INVENTORY_UNAVAILABLE', 'The seller has no inventory, or less than requested, for at least one line.', {
      lines: none,
    })
  }
}

/** Returns true if every week of the line has a price that the buyer may see and order now. */
function isPriced(
  { product_id, period, spot_length }: HoldLine,
  priced: HoldIntake['priced'],
  disclosure: Disclosure | undefined,
): boolean {
  const sold = priced.filter((of) => of.product_id === product_id && of.spot_length === spot_length)
  return weeksOfPeriod(period.grain, period.start).every((week) =>
    sold.some((of) => of.week === week && (disclosure === undefined || sellsAt(disclosure, { isOwnQuote: of.quoted }))),
  )
}

function unpriced({ product_id, period, spot_length }: HoldLine): string {
  return `${product_id} has no open price for this buyer at ${spot_length} seconds in all weeks of ${period.grain} ${period.start}.`
}

/** Returns true if the lines request more than the published count of a period. Counts decide on holds only, never on orders. */
function isBeyond({ product_id, period }: HoldLine, lines: readonly HoldLine[], avails: HoldIntake['avails']): boolean {
  const asked = lines
    .filter((line) => line.product_id === product_id && line.period.start === period.start) // a start has the form of its grain
    .reduce((sum, { units }) => sum + units, 0)
  const speaking = availsFor({ product_id, period }, avails).filter(({ grain }) => grain === period.grain || period.grain === 'day')
  return speaking.some(({ count }) => typeof count === 'number' && asked > count)
}

function checkLine(
  { product_id, period }: HoldLine,
  at: string,
  seller: string,
  products: readonly Product[],
  permitted: ReturnType<typeof permissionsOf>['grains'],
): Fault[] {
  const product = products.find((one) => one.product_id === product_id)
  if (product === undefined) return [invalid(`${at}.product_id`, `${product_id} is not a product of ${seller}.`)]
  const noSuchStart = checkStart(period, `${at}.period`)
  if (noSuchStart.length > 0) return noSuchStart
  const wrongGrain = checkGrain(product, period, permitted, `${at}.period`)
  return wrongGrain.length > 0 ? wrongGrain : checkDates(product, bookedDates(product, period), `${at}.period`)
}
