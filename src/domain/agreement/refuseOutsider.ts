import type { BuyerStanding } from '../../contract/agreement.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import { Refusal } from '../refusal.ts'

/** Refuses a buyer that the seller has suspended, or that an existing allowlist does not name: FORBIDDEN (contract, Acting tenant). */
export function refuseOutsider(
  seller: string | undefined,
  profile: Pick<SellerProfile, 'access'> | undefined,
  { status, allowlisted }: Pick<BuyerStanding, 'status' | 'allowlisted'>,
): void {
  if (status === 'suspended') throw new Refusal('FORBIDDEN', `${seller} has suspended this buyer.`)
  if (profile?.access === 'allowlist' && !allowlisted) {
    throw new Refusal('FORBIDDEN', `This buyer is not on the allowlist of ${seller}.`)
  }
}
