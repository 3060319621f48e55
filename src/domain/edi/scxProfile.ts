import { WEEKDAYS } from '../../contract/vocabulary.ts'
import { isDate } from '../calendar.ts'
import { codePoints, isXmlText, LONGEST_TEXT } from './xmlText.ts'

/** The rules of an element: its attributes, and either its children in order or its text. */
export interface ElementRule {
  min: number
  max: number
  attributes: Record<string, Facet>
  children: Record<string, ElementRule>
  /** Absent if the element has children. */
  text?: Facet
}
export type Facet = (text: string) => boolean

const anyText: Facet = isXmlText
const short: Facet = (text) => isXmlText(text) && (text.length <= LONGEST_TEXT || codePoints(text) <= LONGEST_TEXT)
const name: Facet = (text) => text !== '' && short(text)
const id: Facet = (text) => text !== '' && isXmlText(text)
const empty: Facet = (text) => text === ''
const time = matching(/^([01]\d|2[0-3]):[0-5]\d:00$/)
const count = matching(/^\d{1,15}$/)
const positive = matching(/^[1-9]\d{0,14}$/)
const amount = matching(/^\d+(\.\d{2,4})?$/)
const figure = matching(/^\d+(\.\d+)?$/)
const currency = matching(/^[A-Z]{3}$/)
const age = matching(/^\d{1,2}$/)
const weekNumber = matching(/^([1-9]|[1-4]\d|5[0-3])$/)
const length: Facet = (text) => /^PT[1-9]\d{0,3}S$/.test(text) && Number(text.slice(2, -1)) <= 3_600

const MANY = Number.POSITIVE_INFINITY

const key = element({
  attributes: { codeOwner: oneOf('Agency', 'Platform', 'Seller'), codeDescription: name },
  children: {
    id: leaf(id),
    version: optional(leaf(positive)),
    status: optional(leaf(oneOf('confirmed', 'revised', 'cancelled'))),
    subStatus: optional(leaf(oneOf('new', 'revised', 'cancelled'))),
    createDate: optional(leaf(isDate)),
    updateDate: optional(leaf(isDate)),
  },
})
const codeOf = (facet: Facet) => element({ children: { code: leaf(facet, { codeOwner: oneOf('Agency', 'Platform', 'Spotcable') }) } })
const party = (facet: Facet = id, attributes: Record<string, Facet> = {}) =>
  element({ attributes, children: { name: leaf(name), ID: codeOf(facet) } })
const totals = element({ children: { cost: leaf(amount, { currency }), spots: leaf(positive) } })
const dayFlag = leaf(oneOf('Y', 'N'))

const detailLine = element({
  attributes: { detailLineID: positive },
  children: {
    startTime: leaf(time),
    endTime: leaf(time),
    startDay: leaf(oneOf('M', 'Tu', 'W', 'Th', 'F', 'Sa', 'Su')),
    dayOfWeek: element({
      children: {
        Monday: dayFlag,
        Tuesday: dayFlag,
        Wednesday: dayFlag,
        Thursday: dayFlag,
        Friday: dayFlag,
        Saturday: dayFlag,
        Sunday: dayFlag,
      },
    }),
    length: leaf(length),
    daypartCode: leaf(oneOf('Early Morning', 'Daytime', 'Prime', 'Late Fringe', 'Unassigned')),
    program: leaf(name),
    comment: leaf(short),
    network: party(),
    spotCost: leaf(figure, { currency }),
    demoValue: optional(
      element({
        attributes: { demoRank: positive },
        children: { value: many(leaf(figure, { type: oneOf('Impressions', 'CPM') }), 2, 2) },
      }),
    ),
    totals,
    spot: many(element({ attributes: { id }, children: { weekNumber: leaf(weekNumber), quantity: leaf(positive) } })),
  },
})

const systemOrder = element({
  children: {
    key: many(key, 2, 2),
    comment: leaf(empty),
    system: element({ children: { name: leaf(name), syscode: leaf(matching(/^\d{4}$/)) } }),
    affiliateSplit: leaf(matching(/^0$/)),
    totals,
    weeks: element({
      attributes: { count: positive },
      children: { week: many(leafless({ number: weekNumber, startDate: isDate }), 1, 5 * WEEKDAYS.length) },
    }),
    detailLine: many(detailLine),
  },
})

/** The strict subset of SCX 1.0.1 that documents use. `test/operations/edi/scx-profile.xsd` defines the same subset as a schema. */
export const SCX_PROFILE: Record<string, ElementRule> = {
  adx: element({
    children: {
      document: element({
        children: {
          schemaVersion: leaf(oneOf('1.0')),
          name: leaf(name),
          date: leaf(isDate),
          mediaType: leaf(oneOf('Spotcable')),
          documentType: leaf(oneOf('Order')),
          documentCode: leaf(id),
        },
      }),
      campaign: element({
        children: {
          key: many(key, 1, 4),
          dateRange: element({ children: { startDate: leaf(isDate), endDate: leaf(isDate) } }),
          company: many(party(id, { type: oneOf('Agency', 'Rep') }), 2, 2),
          advertiser: party(),
          product: party(anyText),
          estimate: optional(element({ children: { desc: leaf(empty), ID: codeOf(id) } })),
          makeGoodPolicy: element({ children: { code: leaf(empty) } }),
          demo: many(
            element({
              attributes: { demoRank: positive },
              children: {
                group: leaf(oneOf('Adults', 'Children', 'Households', 'Men', 'Persons', 'Teens', 'Women')),
                ageFrom: leaf(age),
                ageTo: leaf(age),
              },
            }),
            0,
          ),
          buyType: leaf(oneOf('daily', 'weekly')),
          order: element({
            children: {
              key: many(key, 2, 3),
              totals,
              market: element({ attributes: { nsi_id: count }, children: { name: leaf(name) } }),
              comment: leaf(empty),
              systemOrder: many(systemOrder),
            },
          }),
        },
      }),
    },
  }),
}

function element({ attributes = {}, children }: Partial<Pick<ElementRule, 'attributes'>> & Pick<ElementRule, 'children'>): ElementRule {
  return { min: 1, max: 1, attributes, children }
}

function leaf(text: Facet, attributes: Record<string, Facet> = {}): ElementRule {
  return { min: 1, max: 1, attributes, children: {}, text }
}

/** Returns the rule of an element with attributes only. */
function leafless(attributes: Record<string, Facet>): ElementRule {
  return { min: 1, max: 1, attributes, children: {} }
}

function many(rule: ElementRule, min = 1, max = MANY): ElementRule {
  return { ...rule, min, max }
}

function optional(rule: ElementRule): ElementRule {
  return { ...rule, min: 0 }
}

function matching(pattern: RegExp): Facet {
  return (text) => pattern.test(text)
}

function oneOf(...values: string[]): Facet {
  return (text) => values.includes(text)
}
