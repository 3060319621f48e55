import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { CreateHold, HoldLine } from '../../contract/hold.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { permissionsOf } from '../agreement/permissions.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'
import { bookedDates } from '../lines/allocation.ts'
import { isUnavailable, type PublishedAvail } from '../lines/availability.ts'
import { checkDates } from '../lines/checkLine.ts'
import { checkGrain, checkStart } from '../lines/grain.ts'
import { invalid, Refusal, refuseIfAny } from '../refusal.ts'

/** What is known of the world when a hold is asked for. */
export interface HoldIntake {
  seller: { profile: SellerProfile } | undefined
  standing: Pick<BuyerStanding, 'status' | 'allowlisted'>
  agreements: readonly Agreement[]
  products: readonly Product[]
  avails: readonly PublishedAvail[]
}

/**
 * Refuses a hold that cannot be: FORBIDDEN for a buyer who may not order, INVALID_INPUT naming every fault, INVENTORY_UNAVAILABLE when the
 * seller published that there is none (choices, Holds). Counts never decide.
 */
export function checkHold(ask: CreateHold, intake: HoldIntake): void {
  const { seller, standing, agreements, avails } = intake
  if (standing.status === 'suspended') throw new Refusal('FORBIDDEN', `${ask.seller} has suspended this buyer.`)
  if (seller?.profile.access === 'allowlist' && !standing.allowlisted) {
    throw new Refusal('FORBIDDEN', `This buyer is not on the allowlist of ${ask.seller}.`)
  }
  if (seller === undefined) refuseIfAny([invalid('seller', `${ask.seller} is not a seller on this marketplace.`)])
  if (!seller?.profile.holds) refuseIfAny([invalid('seller', `${ask.seller} takes no holds.`)])
  const products = visibleProducts(intake.products, agreements)
  const permitted = permissionsOf(agreements).grains
  refuseIfAny(ask.lines.flatMap((line, index) => checkLine(line, `lines.${index}`, ask.seller, products, permitted)))
  const none = ask.lines.flatMap((line, index) => (isUnavailable(line, avails) ? [index] : []))
  if (none.length > 0) {
    throw new Refusal('INVENTORY_UNAVAILABLE', 'The seller has no inventory for at least one line.', { lines: none })
  }
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
