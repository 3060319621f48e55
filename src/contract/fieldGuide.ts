import { CATALOG_FIELDS } from './fieldGuide/catalogFields.ts'
import { DELIVERY_FIELDS } from './fieldGuide/deliveryFields.ts'
import { DROP_FIELDS } from './fieldGuide/dropFields.ts'
import { EDI_FIELDS } from './fieldGuide/ediFields.ts'
import { MAKEGOOD_FIELDS } from './fieldGuide/makegoodFields.ts'
import { ORDER_FIELDS } from './fieldGuide/orderFields.ts'
import { PARTY_FIELDS } from './fieldGuide/partyFields.ts'
import { PROPOSAL_FIELDS } from './fieldGuide/proposalFields.ts'
import { RECONCILIATION_FIELDS } from './fieldGuide/reconciliationFields.ts'
import { RELATION_FIELDS } from './fieldGuide/relationFields.ts'
import { SETTLEMENT_FIELDS } from './fieldGuide/settlementFields.ts'
import { TIME_FIELDS } from './fieldGuide/timeFields.ts'

/**
 * The meaning of every member of the contract, with its unit, for the descriptions of the OpenAPI document. A name has the same meaning
 * everywhere; otherwise the key names its container (`Hold.status`, `notice.terms`), or the operation of a parameter. A description in a
 * schema takes precedence over these.
 */
export const FIELD_GUIDE: Readonly<Record<string, string>> = {
  ...PARTY_FIELDS,
  ...TIME_FIELDS,
  ...CATALOG_FIELDS,
  ...RELATION_FIELDS,
  ...ORDER_FIELDS,
  ...PROPOSAL_FIELDS,
  ...DELIVERY_FIELDS,
  ...DROP_FIELDS,
  ...EDI_FIELDS,
  ...SETTLEMENT_FIELDS,
  ...RECONCILIATION_FIELDS,
  ...MAKEGOOD_FIELDS,
}
