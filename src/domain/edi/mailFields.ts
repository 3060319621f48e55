import type { LineResult } from '../../contract/lineItem.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { sum } from '../decimal.ts'
import { amountOf } from '../lines/lineResult.ts'
import type { OrderState } from '../order/state.ts'
import { receiptOf } from '../order/supersede.ts'
import { acceptedLines, impressionsByUnit } from './blocks.ts'
import { type EdiMessage, type EdiTerms, SCX_STATUS } from './buildScx.ts'
import type { OrderDescriptors } from './describeOrder.ts'
import { cutText } from './xmlText.ts'

/** The text fields of the mail that carries an order's document. */
export interface MailFields {
  subject: string
  /** The file name of the document, without its extension. */
  fileStem: string
  text: string
  headers: Record<string, string>
}

const LONGEST_ID_IN_SUBJECT = 60
const LONGEST_ID_IN_HEADER = 200

export function mailFields(order: OrderState, message: EdiMessage, terms: EdiTerms, descriptors: OrderDescriptors): MailFields {
  return {
    subject: mailSubject(order, message),
    fileStem: fileStem(order, message),
    text: mailText(order, message, terms, descriptors),
    headers: mailHeaders(order, message),
  }
}

function mailSubject({ request, facts }: OrderState, { event }: EdiMessage): string {
  const short = (id: string | undefined) => oneLine(id ?? '', LONGEST_ID_IN_SUBJECT)
  const estimate = short(request.buyer_metadata.estimate_id)
  const words = [statusWord(event), short(request.external_order_id) || facts.order_id, `v${facts.version}`]
  return [...words, ...(estimate === '' ? [] : ['EST', estimate]), short(request.seller)].join(' ')
}

const LONGEST_NAME = 95

/** Returns at most 100 characters of `[A-Za-z0-9._-]`, extension included. Truncates ids, but never the version and the status. */
function fileStem({ request, facts }: OrderState, { event }: EdiMessage): string {
  const end = `_v${facts.version}_${SCX_STATUS[event][0]}`
  const seller = safeName(request.seller).slice(0, 30)
  const begin = `SCX_${seller}_`
  return `${begin}${safeName(request.external_order_id).slice(0, LONGEST_NAME - begin.length - end.length)}${end}`
}

export function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]+/g, (run) => (run === '.' ? '.' : '-'))
}

function mailHeaders({ request, facts }: OrderState, { document_id }: EdiMessage): Record<string, string> {
  const estimate = oneLine(request.buyer_metadata.estimate_id ?? '', LONGEST_ID_IN_HEADER)
  return {
    'Auto-Submitted': 'auto-generated',
    'EDI-Document-Id': document_id,
    'EDI-Order-Id': facts.order_id,
    ...(estimate === '' ? {} : { 'EDI-Estimate-Id': estimate }),
  }
}

function mailText(order: OrderState, { event, supersedes }: EdiMessage, terms: EdiTerms, descriptors: OrderDescriptors): string {
  const { request, facts } = order
  const lines = acceptedLines(order)
  const amounts = amountsOf(order, lines)
  const dates = lines.flatMap(({ allocation }) => allocation.map(({ date }) => date)).sort()
  const said = (id: string | undefined) => oneLine(id ?? '') || 'none'
  return [
    `${statusWord(event)} order ${said(request.external_order_id)}, version ${facts.version}`,
    '',
    `Order: ${facts.order_id}`,
    `Seller: ${said(descriptors.seller)} (${said(request.seller)})`,
    `Buyer: ${said(descriptors.agency)} (${said(facts.buyer_entity)})`,
    `Seller's order: ${said(receiptOf(order)?.seller_order_id)}`,
    `Estimate: ${said(request.buyer_metadata.estimate_id)}`,
    `Advertiser: ${said(request.buyer_metadata.advertiser_id)}`,
    `Campaign: ${said(request.buyer_metadata.campaign_id)}`,
    `Agreement: ${said(terms.agreement_id)}`,
    ...(supersedes === undefined ? [] : [`Supersedes: ${said(supersedes.external_order_id)} (${supersedes.order_id})`]),
    `Air dates: ${dates[0]} to ${dates.at(-1)}`,
    '',
    ...lines.map((line, index) => {
      const title = oneLine(descriptors.products[line.product_id]?.title ?? line.product_id)
      const spots = `${line.num_accepted} x ${line.spot_length} s`
      return `${line.unit_id}: ${oneLine(line.network)}, ${title}, ${spots}, ${amounts[index]} ${facts.currency}`
    }),
    '',
    `Total: ${lines.reduce((total, { num_accepted }) => total + num_accepted, 0)} spots, ${sum(amounts).toFixed(decimalPlaces(facts.currency))} ${facts.currency}`,
    '',
  ].join('\n')
}

function amountsOf(order: OrderState, lines: readonly LineResult[]): string[] {
  const impressions = impressionsByUnit(order)
  return lines.map(({ rate, num_accepted, unit_id }) =>
    amountOf(rate, num_accepted, impressions.get(unit_id)).toFixed(decimalPlaces(rate.currency)),
  )
}

function statusWord(event: EdiMessage['event']): string {
  return SCX_STATUS[event][0].toUpperCase()
}

/** Controls, line ends and marks that change the direction of text, which could make one line look like another. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** Returns a text as one line without controls, truncated to `longest` code points. */
export function oneLine(text: string, longest?: number): string {
  return cutText(text.replace(UNSEEN, ' ').trim(), longest)
}
