import type { EdiBuyType } from '../../contract/vocabulary/edi.ts'

/**
 * An order document in SCX 1.0.1, as a tree of elements. The members of an object are its elements in the order of the document; `@` marks an
 * attribute and `#text` the text beside attributes.
 */
export interface ScxTree {
  adx: { document: ScxDocument; campaign: ScxCampaign }
}

export interface ScxDocument {
  schemaVersion: '1.0'
  name: string
  date: string
  mediaType: 'Spotcable'
  documentType: 'Order'
  documentCode: string
}

export type ScxStatus = 'confirmed' | 'revised' | 'cancelled'
export type ScxSubStatus = 'new' | 'revised' | 'cancelled'

export interface ScxKey {
  '@codeOwner': 'Agency' | 'Platform' | 'Seller'
  '@codeDescription': string
  id: string
  version?: number
  status?: ScxStatus
  subStatus?: ScxSubStatus
  createDate?: string
  updateDate?: string
}

export interface ScxCode {
  code: { '@codeOwner': 'Agency' | 'Platform' | 'Spotcable'; '#text': string }
}

interface NamedParty {
  name: string
  ID: ScxCode
}

export interface ScxCampaign {
  key: ScxKey[]
  dateRange: { startDate: string; endDate: string }
  company: ({ '@type': 'Agency' | 'Rep' } & NamedParty)[]
  advertiser: NamedParty
  product: NamedParty
  estimate?: { desc: ''; ID: ScxCode }
  makeGoodPolicy: { code: '' }
  demo?: ScxDemo[]
  buyType: EdiBuyType
  order: ScxOrder
}

export interface ScxDemo {
  '@demoRank': number
  group: string
  ageFrom: number
  ageTo: number
}

/** Money is decimal text with two places; a spot cost is decimal text with as many places as it needs. */
export interface ScxMoney {
  '@currency': string
  '#text': string
}

export interface ScxTotals {
  cost: ScxMoney
  spots: number
}

export interface ScxOrder {
  key: ScxKey[]
  totals: ScxTotals
  market: { '@nsi_id': number; name: string }
  comment: ''
  systemOrder: ScxSystemOrder[]
}

export interface ScxSystemOrder {
  key: ScxKey[]
  comment: ''
  system: { name: string; syscode: string }
  affiliateSplit: 0
  totals: ScxTotals
  weeks: { '@count': number; week: { '@number': number; '@startDate': string }[] }
  detailLine: ScxDetailLine[]
}

export type ScxDay = 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday'

export interface ScxDetailLine {
  '@detailLineID': number
  startTime: string
  endTime: string
  startDay: 'M' | 'Tu' | 'W' | 'Th' | 'F' | 'Sa' | 'Su'
  dayOfWeek: Record<ScxDay, 'Y' | 'N'>
  length: string
  daypartCode: string
  program: string
  comment: string
  network: NamedParty
  spotCost: ScxMoney
  demoValue?: { '@demoRank': number; value: { '@type': 'Impressions' | 'CPM'; '#text': string }[] }
  totals: ScxTotals
  spot: { '@id': string; weekNumber: number; quantity: number }[]
}
