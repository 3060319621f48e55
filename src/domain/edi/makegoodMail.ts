import type { Makegood } from '../../contract/makegood.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { decimal } from '../decimal.ts'
import type { OrderState } from '../order/state.ts'
import { type MailFields, oneLine, safeName } from './mailFields.ts'

/** The mail that tells of a makegood, and the rows of its csv document. */

/** What a row says: the units that do not air, an offer with each of its replacements, what was agreed, or a credit. */
export const MAKEGOOD_COLUMNS = [
  ...['record_type', 'order_id', 'external_order_id', 'makegood_id', 'version', 'status', 'expires_at'],
  ...['offer_id', 'product_id', 'network', 'date', 'units', 'spot_length', 'unit_id', 'replaces_date', 'replaces_units'],
  ...['reason_code', 'reason', 'gross', 'currency', 'broadcast_month', 'billing'],
] as const
export type MakegoodRow = Readonly<Record<string, string>>

const LONGEST_ID_IN_SUBJECT = 60

export function makegoodMail(order: OrderState, makegood: Makegood, document_id: string): MailFields {
  const { request, facts } = order
  const { makegood_id, status, version, expires_at, actions } = makegood
  const name = oneLine(request.external_order_id, LONGEST_ID_IN_SUBJECT) || facts.order_id
  const last = actions.at(-1)
  return {
    subject: `MAKEGOOD ${status.toUpperCase()} ${name} v${version} ${oneLine(request.seller, LONGEST_ID_IN_SUBJECT)}`,
    fileStem: `MAKEGOOD_${safeName(makegood_id)}_v${version}_${status}`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'EDI-Document-Id': document_id,
      'EDI-Order-Id': facts.order_id,
      'EDI-Makegood-Id': makegood_id,
    },
    text: [
      `Makegood ${makegood_id} of order ${oneLine(request.external_order_id)} (${facts.order_id})`,
      '',
      `Status: ${status}, version ${version}`,
      `Last: ${last === undefined ? 'none' : `${last.action} by ${oneLine(last.actor)}${last.note === undefined ? '' : `: ${oneLine(last.note)}`}`}`,
      ...(status === 'offered' && expires_at !== null ? [`Answer until: ${expires_at}`] : []),
      '',
      ...makegood.for.map(({ unit_id, date, units, reason_code, reason }) => {
        return `Does not air: ${units} of ${oneLine(unit_id)} on ${date}, ${oneLine(reason_code)}${reason === undefined ? '' : `: ${oneLine(reason)}`}`
      }),
      ...makegood.offers.map(({ offer_id, ...offer }) => `Offer ${oneLine(offer_id)}: ${spotsOf(offer)}`),
      ...(makegood.agreed === undefined
        ? []
        : [
            `Agreed: offer ${oneLine(makegood.agreed.offer_id)}, ${amount(makegood.agreed.gross, facts.currency)}, billed in the month ${makegood.agreed.billing}`,
          ]),
      ...makegood.credits.map(({ unit_id, date, units, gross }) => {
        return `Credited: ${units} of ${oneLine(unit_id)} on ${date}, ${amount(gross, facts.currency)}`
      }),
      '',
    ].join('\n'),
  }
}

function spotsOf({
  units,
  spot_length,
  product_id,
  network,
  date,
}: Pick<Makegood['offers'][number], 'units' | 'spot_length' | 'product_id' | 'network' | 'date'>) {
  return `${units} x ${spot_length} s, ${oneLine(network)}, ${oneLine(product_id)}, ${date}`
}

function amount(gross: number, currency: string): string {
  return `${decimal(gross).toFixed(decimalPlaces(currency))} ${currency}`
}

export function makegoodRows({ request, facts }: OrderState, makegood: Makegood): MakegoodRow[] {
  const { makegood_id, version, status, expires_at, agreed } = makegood
  const { order_id, currency } = facts
  const common = {
    ...{ order_id, external_order_id: request.external_order_id, makegood_id, version: String(version), status },
    ...(expires_at === null ? {} : { expires_at }),
  }
  const money = (gross: number) => ({ gross: decimal(gross).toFixed(decimalPlaces(currency)), currency })
  const offered = ({ offer_id, product_id, network, date, units, spot_length }: Omit<Makegood['offers'][number], 'replaces'>) => {
    return { offer_id, product_id, network, date, units: String(units), spot_length: String(spot_length) }
  }
  const replaced = (spot: { unit_id: string; date: string; units: number }) => {
    return { unit_id: spot.unit_id, replaces_date: spot.date, replaces_units: String(spot.units) }
  }
  return [
    ...makegood.for.map(({ unit_id, date, units, reason_code, reason }) => {
      return {
        record_type: 'missed',
        ...common,
        unit_id,
        date,
        units: String(units),
        reason_code,
        ...(reason === undefined ? {} : { reason }),
      }
    }),
    ...makegood.offers.flatMap((offer) => {
      return offer.replaces.map((spot) => ({ record_type: 'offer', ...common, ...offered(offer), ...replaced(spot) }))
    }),
    ...(agreed?.replaces ?? []).flatMap((spot) => {
      return agreed === undefined
        ? []
        : [{ record_type: 'agreed', ...common, ...offered(agreed), ...replaced(spot), ...money(spot.gross), billing: agreed.billing }]
    }),
    ...makegood.credits.map(({ unit_id, date, units, network, gross, broadcast_month }) => {
      return { record_type: 'credit', ...common, unit_id, network, date, units: String(units), ...money(gross), broadcast_month }
    }),
  ]
}
