import type { EdiDelivery } from '../../contract/agreement.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import type { Weekday } from '../../contract/vocabulary.ts'
import { dateOf, type Instant, type IsoDate, weekdayOf } from '../calendar.ts'
import { type Decimal, decimal } from '../decimal.ts'
import type { OrderState } from '../order/state.ts'
import { receiptOf } from '../order/supersede.ts'
import { demosOf } from './audiences.ts'
import { acceptedLines, type Block, blocksOf, costOf, impressionsByUnit, type Piece, unitCost, unitsOf } from './blocks.ts'
import type { OrderDescriptors, ProductDescriptor } from './describeOrder.ts'
import type { ScxCode, ScxDetailLine, ScxKey, ScxMoney, ScxOrder, ScxStatus, ScxSubStatus, ScxSystemOrder, ScxTree } from './scxTree.ts'
import { cutText, isXmlText, xmlText } from './xmlText.ts'

/** An event of an order, and the document that reports it. */
export interface EdiMessage {
  event: 'placed' | 'revised' | 'canceled'
  /** The id of the order's document, which is the same when it is sent again. */
  document_id: string
  occurred_at: Instant
  /** The order that a `revised` document supersedes. */
  supersedes?: { order_id: string; external_order_id: string }
}

/** The terms of an agreement for the documents of its orders. */
export interface EdiTerms extends Pick<EdiDelivery, 'buy_type' | 'nsi_id' | 'syscode' | 'system_name'> {
  agreement_id: string
}

/** `NO_ESTIMATE`: the order has no estimate_id. `ESTIMATE_NOT_REPRESENTABLE`: XML cannot represent one of its characters. */
export type EdiWarning = 'NO_ESTIMATE' | 'ESTIMATE_NOT_REPRESENTABLE'

export const SCX_STATUS: Record<EdiMessage['event'], readonly [ScxStatus, ScxSubStatus]> = {
  placed: ['confirmed', 'new'],
  revised: ['revised', 'revised'],
  canceled: ['cancelled', 'cancelled'],
}

/** Maps an order that was placed to its SCX document, which contains the accepted lines (choices, Order document). */
export function buildScx(
  order: OrderState,
  message: EdiMessage,
  terms: EdiTerms,
  descriptors: OrderDescriptors,
): { tree: ScxTree; warnings: EdiWarning[] } {
  const { request, facts } = order
  const { advertiser_id, campaign_id, estimate_id } = request.buyer_metadata
  const lines = acceptedLines(order)
  const buyType = terms.buy_type ?? 'daily'
  const demos = demosOf(lines)
  const on = dateOf(message.occurred_at)
  const tree: ScxTree = {
    adx: {
      document: {
        schemaVersion: '1.0',
        name: cutText(`${facts.order_id} / ${request.external_order_id}`),
        date: on,
        mediaType: 'Spotcable',
        documentType: 'Order',
        documentCode: message.document_id,
      },
      campaign: {
        key: campaignKeys(order, message),
        dateRange: dateRange(request.flight, lines),
        company: [
          { '@type': 'Agency', ...party(descriptors.agency, 'Platform', facts.buyer_entity) },
          { '@type': 'Rep', ...party(descriptors.seller, 'Platform', request.seller) },
        ],
        advertiser: party(advertiser_id, 'Agency', advertiser_id),
        product: party(campaign_id || 'Unspecified', 'Agency', campaign_id ?? ''),
        ...(estimate_id ? { estimate: { desc: '', ID: code('Agency', estimate_id) } } : {}),
        makeGoodPolicy: { code: '' },
        ...(demos.size === 0 ? {} : { demo: [...demos.values()] }),
        buyType,
        order: scxOrder(order, message, terms, {
          descriptors,
          demos,
          blocks: blocksOf(order, descriptors, buyType),
          impressions: impressionsByUnit(order),
        }),
      },
    },
  }
  return { tree, warnings: estimateWarnings(estimate_id) }
}

function estimateWarnings(estimate_id: string | undefined): EdiWarning[] {
  if (!estimate_id) return ['NO_ESTIMATE']
  return isXmlText(estimate_id) ? [] : ['ESTIMATE_NOT_REPRESENTABLE']
}

function campaignKeys({ request, facts }: OrderState, { event, occurred_at, supersedes }: EdiMessage): ScxKey[] {
  const { campaign_id } = request.buyer_metadata
  const [status, subStatus] = SCX_STATUS[event]
  const progress = { version: facts.version, status, subStatus, createDate: dateOf(facts.created_at), updateDate: dateOf(occurred_at) }
  return [
    { ...key('Agency', 'ExternalOrderID', request.external_order_id), ...progress },
    ...(campaign_id ? [key('Agency', 'CampaignID', campaign_id)] : []),
    ...(supersedes === undefined
      ? []
      : [
          key('Platform', 'SupersedesOrderID', supersedes.order_id),
          key('Agency', 'SupersedesExternalOrderID', supersedes.external_order_id),
        ]),
  ]
}

/** Returns the flight, widened to include all bookings. */
function dateRange(flight: { start: IsoDate; end: IsoDate } | undefined, lines: readonly LineResult[]) {
  const dates = lines.flatMap(({ allocation }) => allocation.map(({ date }) => date))
  const all = [...dates, ...(flight === undefined ? [] : [flight.start, flight.end])].sort()
  return { startDate: all[0] ?? '', endDate: all.at(-1) ?? '' }
}

interface Content {
  descriptors: OrderDescriptors
  demos: ReturnType<typeof demosOf>
  blocks: readonly Block[]
  impressions: ReturnType<typeof impressionsByUnit>
}

function scxOrder(order: OrderState, { event }: EdiMessage, terms: EdiTerms, content: Content): ScxOrder {
  const { facts } = order
  const receipt = receiptOf(order)
  const pieces = content.blocks.flatMap((block) => block.pieces)
  const nextId = counter()
  return {
    key: [
      { ...key('Platform', 'OrderID', facts.order_id), status: SCX_STATUS[event][0] },
      ...(receipt === undefined ? [] : [key('Seller', 'SellerOrderID', receipt.seller_order_id)]),
      key('Seller', 'DealNumber', terms.agreement_id),
    ],
    totals: totalsOf(pieces, facts.currency),
    market: { '@nsi_id': terms.nsi_id ?? 0, name: 'National' },
    comment: '',
    systemOrder: content.blocks.map((block) => systemOrder(order, block, terms, content, nextId)),
  }
}

function systemOrder(
  order: OrderState,
  { network, month, pieces }: Block,
  { system_name, syscode }: EdiTerms,
  content: Content,
  nextId: () => number,
): ScxSystemOrder {
  const starts = [...new Set(pieces.flatMap(({ units }) => [...units.keys()]))].sort()
  const numbers = new Map(starts.map((start, index) => [start, index + 1]))
  return {
    key: [key('Platform', 'Network', network), key('Platform', 'BroadcastMonth', month)],
    comment: '',
    system: { name: cutText(system_name ?? 'National'), syscode: syscode ?? '0000' },
    affiliateSplit: 0,
    totals: totalsOf(pieces, order.facts.currency),
    weeks: { '@count': starts.length, week: [...numbers].map(([start, number]) => ({ '@number': number, '@startDate': start })) },
    detailLine: pieces.map((piece) => detailLine(piece, content, nextId(), numbers, order.facts.currency)),
  }
}

function detailLine(
  piece: Piece,
  { descriptors, demos, impressions }: Content,
  id: number,
  numbers: ReadonlyMap<IsoDate, number>,
  currency: string,
): ScxDetailLine {
  const { line, airTime, dates } = piece
  const product = descriptors.products[line.product_id]
  const perUnit = impressions.get(line.unit_id)
  const days = new Set(dates.map(weekdayOf))
  return {
    '@detailLineID': id,
    startTime: airTime.start,
    endTime: airTime.end,
    startDay: START_DAYS[weekdayOf(dates[0] ?? '')],
    dayOfWeek: {
      Monday: flag(days.has('Mon')),
      Tuesday: flag(days.has('Tue')),
      Wednesday: flag(days.has('Wed')),
      Thursday: flag(days.has('Thu')),
      Friday: flag(days.has('Fri')),
      Saturday: flag(days.has('Sat')),
      Sunday: flag(days.has('Sun')),
    },
    length: `PT${line.spot_length}S`,
    daypartCode: daypartCode(product),
    program: cutText(product?.title ?? line.product_id),
    comment: comment(piece, demos),
    network: party(line.network, 'Spotcable', line.network),
    spotCost: { '@currency': currency, '#text': unitCost(line, perUnit).toFixed() },
    ...demoValue(line, perUnit, demos),
    totals: totalsOf([piece], currency),
    spot: [...piece.units].map(([start, quantity]) => ({
      '@id': `${line.unit_id}:${start}`,
      weekNumber: numbers.get(start) ?? 0,
      quantity,
    })),
  }
}

const START_DAYS: Record<Weekday, ScxDetailLine['startDay']> = { Mon: 'M', Tue: 'Tu', Wed: 'W', Thu: 'Th', Fri: 'F', Sat: 'Sa', Sun: 'Su' }

const DAYPART_CODES: Partial<Record<NonNullable<ProductDescriptor['daypart']>, string>> = {
  early_morning: 'Early Morning',
  daytime: 'Daytime',
  primetime: 'Prime',
  late_night: 'Late Fringe',
}

function daypartCode(product: ProductDescriptor | undefined): string {
  return (product?.daypart && DAYPART_CODES[product.daypart]) ?? 'Unassigned'
}

/** Returns the facts for which SCX has no element. The windows come last, since they are the longest. */
function comment({ line, airTime }: Piece, demos: Content['demos']): string {
  const { audience_code, buy_type } = line.rate
  const stated = {
    unit_id: line.unit_id,
    isci: line.creative_snapshot?.creative_code,
    buy: buy_type,
    posting: line.posting_policy.policy ?? undefined,
    mirror: line.mirror?.network,
    aud: audience_code === undefined || demos.has(audience_code) ? undefined : audience_code,
    windows: airTime.windows,
  }
  const words = Object.entries(stated).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return cutText(words.join(' '))
}

function demoValue(
  { rate }: LineResult,
  impressions: number | undefined,
  demos: Content['demos'],
): Pick<ScxDetailLine, 'demoValue'> | Record<string, never> {
  const demo = demos.get(rate.audience_code ?? '')
  if (demo === undefined || rate.cpm === undefined || impressions === undefined) return {}
  const figures = [
    { '@type': 'Impressions' as const, '#text': decimal(impressions).toFixed() },
    { '@type': 'CPM' as const, '#text': decimal(rate.cpm).toFixed() },
  ]
  return { demoValue: { '@demoRank': demo['@demoRank'], value: figures } }
}

function totalsOf(pieces: readonly Piece[], currency: string) {
  return { cost: money(costOf(pieces), currency), spots: pieces.reduce((total, piece) => total + unitsOf(piece), 0) }
}

function money(amount: Decimal, currency: string): ScxMoney {
  return { '@currency': currency, '#text': amount.toFixed(decimalPlaces(currency)) }
}

function key(owner: ScxKey['@codeOwner'], description: string, id: string): ScxKey {
  return { '@codeOwner': owner, '@codeDescription': description, id: xmlText(id) }
}

function party(name: string, owner: ScxCode['code']['@codeOwner'], id: string) {
  return { name: cutText(name), ID: code(owner, id) }
}

/** Makes a code from an id, which is never truncated. */
function code(owner: ScxCode['code']['@codeOwner'], id: string): ScxCode {
  return { code: { '@codeOwner': owner, '#text': xmlText(id) } }
}

function flag(booked: boolean): 'Y' | 'N' {
  return booked ? 'Y' : 'N'
}

function counter(): () => number {
  let last = 0
  return () => ++last
}
