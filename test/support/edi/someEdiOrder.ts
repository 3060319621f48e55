import fc from 'fast-check'
import type { LineItem, LineResult } from '../../../src/contract/lineItem.ts'
import { REPORTING_DAYPARTS, WEEKDAYS } from '../../../src/contract/vocabulary.ts'
import type { EdiMessage, EdiTerms } from '../../../src/domain/edi/buildScx.ts'
import type { AirWindow, OrderDescriptors } from '../../../src/domain/edi/describeOrder.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { type Life, live, someLife, someLines } from '../orders/orderLives.ts'
import { aMessage, aPlacedOrder, TERMS } from './anEdiOrder.ts'

/** Texts that break careless writers of XML, mail headers, spreadsheets, file names and objects. */
export const HOSTILE_TEXTS = [
  'A&B ]]>\t',
  '<a b="c">',
  '&amp;#0;',
  "\" onload='x'",
  '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
  '<![CDATA[x]]>',
  '<!-- x -->',
  'CR\rLF\nCRLF\r\nBcc: evil@example.com',
  '\u0001\u0008\u000b\u001f',
  '\u007f\u0085\u2028\u2029',
  '\ufffe\uffff',
  '\ud800 \udfff',
  '\u202egnp.exe',
  '  lead and trail  ',
  "=cmd|' /C calc'!A0",
  '@SUM(1)',
  '../../x',
  'true',
  '1e21',
  '__proto__',
  'constructor',
  '#text',
  '\u{1f600}'.repeat(300),
  'x'.repeat(10_000),
]

const someText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
  { weight: 2, arbitrary: fc.stringMatching(/^[A-Z0-9-]{1,12}$/) },
)
const time = fc
  .tuple(fc.nat({ max: 23 }), fc.constantFrom('00', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const someWindow: fc.Arbitrary<AirWindow> = fc.oneof(
  fc.record({ days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), start: time, end: time }),
  fc.record({ date: fc.constantFrom('2026-12-07', '2026-12-09', '2027-02-03'), start: time, end: time }),
)
const someProduct = fc.record(
  {
    title: someText,
    windows: fc.array(someWindow, { maxLength: 4 }),
    daypart: fc.constantFrom(...REPORTING_DAYPARTS),
  },
  { requiredKeys: ['title', 'windows'] },
)
const someLineText = fc.record(
  {
    network: someText,
    isci: someText,
    posting: someText,
    audience: fc.oneof(fc.constantFrom('A25-54', 'W18+', 'HH', 'M50-18', 'Z1-2', 'P2+'), someText),
    mirror: someText,
  },
  { requiredKeys: ['network'] },
)

export interface EdiOrder {
  order: OrderState
  message: EdiMessage
  terms: EdiTerms
  descriptors: OrderDescriptors
}

/** Placed orders of one to four lines in every grain and basis, with arbitrary content in every text that a document shows. */
export const someEdiOrder: fc.Arbitrary<EdiOrder> = fc
  .record({
    lines: someLines,
    products: fc.array(someProduct, { minLength: 4, maxLength: 4 }),
    lineTexts: fc.array(someLineText, { minLength: 4, maxLength: 4 }),
    seller: someText,
    buyer_entity: someText,
    external_order_id: someText,
    advertiser_id: someText,
    campaign_id: fc.option(someText, { nil: undefined }),
    estimate_id: fc.option(someText, { nil: undefined }),
    seller_order_id: someText,
    names: fc.record({ agency: someText, seller: someText }),
    agreement_id: someText,
    buy_type: fc.constantFrom('daily' as const, 'weekly' as const, undefined),
    system_name: fc.option(someText, { nil: undefined }),
    event: fc.constantFrom('placed' as const, 'revised' as const, 'canceled' as const),
    flight: fc.constantFrom(undefined, { start: '2026-12-01', end: '2027-03-31' }, { start: '2026-01-01', end: '2028-01-01' }),
  })
  .map((drawn) => {
    const { order } = aPlacedOrder({ lines: drawn.lines })
    return dressed(order, drawn)
  })

type Drawn = {
  lines: LineItem[]
  products: { title: string; windows: AirWindow[]; daypart?: (typeof REPORTING_DAYPARTS)[number] }[]
  lineTexts: { network: string; isci?: string; posting?: string; audience?: string; mirror?: string }[]
  seller: string
  buyer_entity: string
  external_order_id: string
  advertiser_id: string
  campaign_id: string | undefined
  estimate_id: string | undefined
  seller_order_id: string
  names: { agency: string; seller: string }
  agreement_id: string
  buy_type: 'daily' | 'weekly' | undefined
  system_name: string | undefined
  event: EdiMessage['event']
  flight: { start: string; end: string } | undefined
}

function dressed(order: OrderState, drawn: Drawn): EdiOrder {
  const { seller, buyer_entity, external_order_id, advertiser_id, campaign_id, estimate_id, event, flight, products, lineTexts } = drawn
  const buyer_metadata = {
    advertiser_id,
    ...(campaign_id === undefined ? {} : { campaign_id }),
    ...(estimate_id === undefined ? {} : { estimate_id }),
  }
  const request = { ...order.request, seller, external_order_id, buyer_metadata, ...(flight === undefined ? {} : { flight }) }
  const lines = order.lines.map((line, index) => withTexts(line, lineTexts[index] ?? { network: 'CBL' }))
  const artifacts = order.artifacts.map((artifact) =>
    artifact.name === 'placement_receipt' ? { ...artifact, seller_order_id: drawn.seller_order_id } : artifact,
  )
  return {
    order: { ...order, request, facts: { ...order.facts, buyer_entity }, lines, artifacts },
    message: aMessage({ event, ...(event === 'revised' ? { supersedes: { order_id: 'ord_0', external_order_id } } : {}) }),
    terms: { ...TERMS, agreement_id: drawn.agreement_id, buy_type: drawn.buy_type, system_name: drawn.system_name },
    descriptors: {
      ...drawn.names,
      products: Object.fromEntries(order.lines.map(({ product_id }, index) => [product_id, products[index] ?? { title: '', windows: [] }])),
    },
  }
}

function withTexts(line: LineResult, { network, isci, posting, audience, mirror }: Drawn['lineTexts'][number]): LineResult {
  return {
    ...line,
    network,
    ...(isci === undefined ? {} : { creative_snapshot: { creative_code: isci, name: isci, length_seconds: line.spot_length } }),
    ...(posting === undefined ? {} : { posting_policy: { policy: posting, source: 'product' } }),
    ...(mirror === undefined ? {} : { mirror: { product_id: mirror, network: mirror, allocation: line.allocation } }),
    ...(audience === undefined ? {} : { rate: { ...line.rate, audience_code: audience } }),
  }
}

/** The placed states of lives: partly accepted, accepted through counters, or after several rounds. */
export const somePlacedLife: fc.Arbitrary<OrderState[]> = someLife
  .map((drawn): Life => live(drawn))
  .map(({ states }) => states.filter(({ status }) => status === 'placed'))
