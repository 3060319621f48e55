import type { PutAgreement } from '../../contract/agreement.ts'
import type { Habit } from './habits.ts'

/** The agreements that a buyer has from its first read on, one of each kind. */
export interface Grant {
  readonly seller: Habit['seller']
  readonly agreement_id: string
  readonly agreement: Partial<PutAgreement> & Pick<PutAgreement, 'buyer_entity' | 'effective'>
}

/** The cap of the cleared agreement: 50 units of the sandbox's price. */
export const CREDIT_LIMIT = 50_000

export function grantsTo(buyer_entity: string, year: number): Grant[] {
  const common = { buyer_entity, effective: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` } }
  const terms = { cancellation_terms: { notice_days: 14, late_fee_pct: 15 } }
  return [
    { seller: 'sandbox-tv', agreement_id: `sbx-direct-${buyer_entity}`, agreement: { ...common, ...terms } },
    {
      seller: 'sandbox-tv',
      agreement_id: `sbx-cleared-${buyer_entity}`,
      agreement: {
        ...common,
        ...terms,
        settlement_mode: 'cleared',
        credit_limit: CREDIT_LIMIT,
        commitment_gross: 2 * CREDIT_LIMIT,
        agency_commission_pct: 15,
      },
    },
    // The only agreement with that seller, since permissions are the union of all agreements of a buyer with a seller.
    { seller: 'sandbox-pull', agreement_id: `sbx-permitted-${buyer_entity}`, agreement: { ...common, permitted_grains: ['week'] } },
  ]
}
