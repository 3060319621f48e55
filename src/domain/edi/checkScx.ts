import type { EdiBuyType } from '../../contract/vocabulary/edi.ts'
import { decimalPlaces } from '../../contract/vocabulary/minorUnits.ts'
import { addDays, broadcastMonthOf, type IsoDate, weekdayOf } from '../calendar.ts'
import { decimal, minorUnit, sameAmount, sum } from '../decimal.ts'
import { type ElementRule, SCX_PROFILE } from './scxProfile.ts'
import type { ScxDay, ScxDetailLine, ScxKey, ScxSystemOrder, ScxTotals, ScxTree } from './scxTree.ts'

/** A fault of a document, which is always a fault of the platform. `path` names the element or attribute. */
export interface ScxFault {
  path: string
  message: string
}

/**
 * Checks a document before it is sent: first its structure and values against the profile, then its figures and dates against each other
 * and against the order's gross.
 */
export function checkScx(tree: ScxTree, gross: number): ScxFault[] {
  const misshapen: ScxFault[] = []
  checkChildren({ ...tree }, SCX_PROFILE, '', misshapen)
  // If the structure is wrong, the figures cannot be read.
  return misshapen.length > 0 ? misshapen : checkSense(tree, gross)
}

type Node = Record<string, unknown>

/** Adds the faults of a node's elements. */
function checkChildren(node: Node, rules: Record<string, ElementRule>, path: string, faults: ScxFault[]): void {
  const names = Object.keys(node).filter((name) => name[0] !== '@' && name[0] !== '#')
  const allowed = Object.keys(rules)
  if (!isInOrder(names, allowed)) {
    const unknown = names.filter((name) => !Object.hasOwn(rules, name)).map((name) => fault(`${path}/${name}`, 'is not in the profile'))
    faults.push(...(unknown.length > 0 ? unknown : [fault(path, `has its elements in the order ${names.join(', ')}`)]))
    return
  }
  for (const name of allowed) {
    const rule = rules[name] as ElementRule
    const value = node[name]
    const found = Array.isArray(value) ? value : Object.hasOwn(node, name) ? [value] : []
    if (found.length < rule.min || found.length > rule.max) {
      faults.push(fault(`${path}/${name}`, `is there ${found.length} times, which is not ${rule.min} to ${rule.max}`))
    } else {
      for (const [index, child] of found.entries())
        checkElement(child, rule, `${path}/${name}${rule.max > 1 ? `[${index + 1}]` : ''}`, faults)
    }
  }
}

/** Returns true if each name is allowed and all are in the allowed order. */
function isInOrder(names: readonly string[], allowed: readonly string[]): boolean {
  let at = -1
  return names.every((name) => {
    at = allowed.indexOf(name, at + 1)
    return at >= 0
  })
}

function checkElement(value: unknown, rule: ElementRule, path: string, faults: ScxFault[]): void {
  const node: Node = typeof value === 'object' && value !== null ? (value as Node) : { '#text': value }
  for (const name of Object.keys(node)) {
    if (name[0] === '@' && !Object.hasOwn(rule.attributes, name.slice(1))) faults.push(fault(`${path}/${name}`, 'is not in the profile'))
  }
  for (const name of Object.keys(rule.attributes)) {
    const text = textOf(node[`@${name}`])
    if (text === undefined || !rule.attributes[name]?.(text)) faults.push(fault(`${path}/@${name}`, 'has a value that is not allowed'))
  }
  if (rule.text !== undefined) {
    const text = textOf(node['#text'])
    if (text === undefined || !rule.text(text)) faults.push(fault(path, 'has a text that is not allowed'))
  } else if (Object.hasOwn(node, '#text')) faults.push(fault(path, 'has a text beside its elements'))
  checkChildren(node, rule.children, path, faults)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const CAMPAIGN = '/adx/campaign'
const ORDER = `${CAMPAIGN}/order`

function checkSense({ adx: { campaign } }: ScxTree, gross: number): ScxFault[] {
  const { key, company, order, dateRange, buyType, demo = [] } = campaign
  const range = { start: dateRange.startDate, end: dateRange.endDate }
  const systemOrders = order.systemOrder.map((systemOrder, index) => ({ systemOrder, path: `${ORDER}/systemOrder[${index + 1}]` }))
  const lines = order.systemOrder.flatMap(({ detailLine }) => detailLine)
  const currency = order.totals.cost['@currency']
  const amounts = [order, ...order.systemOrder, ...lines].map(({ totals }) => totals.cost)
  const currencies = [...amounts, ...lines.map(({ spotCost }) => spotCost)]
  return [
    ...named(`${CAMPAIGN}/key/@codeDescription`, descriptions(key), CAMPAIGN_KEYS),
    ...named(
      `${CAMPAIGN}/company/@type`,
      company.map((each) => each['@type']),
      [['Agency', 'Rep']],
    ),
    ...named(`${ORDER}/key/@codeDescription`, descriptions(order.key), ORDER_KEYS),
    ...(sameAmount(order.totals.cost['#text'], gross) ? [] : [fault(`${ORDER}/totals/cost`, 'is not the gross of the order')]),
    ...(range.start > range.end ? [fault(`${CAMPAIGN}/dateRange`, 'must not end before it starts')] : []),
    ...tie(
      `${ORDER}/totals`,
      order.totals,
      order.systemOrder.map(({ totals }) => totals),
    ),
    ...amounts.flatMap(({ '@currency': code, '#text': text }) =>
      (text.split('.')[1] ?? '').length === decimalPlaces(code)
        ? []
        : [fault(`${ORDER}//totals/cost`, `must have ${decimalPlaces(code)} decimal places, as ${code} has`)],
    ),
    ...(currencies.every((cost) => cost['@currency'] === currency)
      ? []
      : [fault(`${ORDER}/totals/cost/@currency`, 'must be the currency of every part')]),
    ...unique(
      `${CAMPAIGN}/demo/@demoRank`,
      demo.map((each) => each['@demoRank']),
    ),
    ...demo.flatMap(({ ageFrom, ageTo }) => (ageFrom > ageTo ? [fault(`${CAMPAIGN}/demo`, 'has ageFrom above ageTo')] : [])),
    ...unique(
      `${ORDER}//detailLine/@detailLineID`,
      lines.map((line) => line['@detailLineID']),
    ),
    ...unique(
      `${ORDER}//spot/@id`,
      lines.flatMap(({ spot }) => spot.map((each) => each['@id'])),
    ),
    ...systemOrders.flatMap(({ systemOrder, path }) => checkSystemOrder(systemOrder, path, { range, buyType })),
    ...systemOrders.flatMap(({ systemOrder, path }) => checkRanks(systemOrder, path, new Set(demo.map((each) => each['@demoRank'])))),
  ]
}

const CAMPAIGN_KEYS = [[], ['CampaignID']].flatMap((campaign) => [
  ['ExternalOrderID', ...campaign],
  ['ExternalOrderID', ...campaign, 'SupersedesOrderID', 'SupersedesExternalOrderID'],
])
const ORDER_KEYS = [
  ['OrderID', 'DealNumber'],
  ['OrderID', 'SellerOrderID', 'DealNumber'],
]

function descriptions(keys: readonly ScxKey[]): string[] {
  return keys.map((key) => key['@codeDescription'])
}

/** Returns a fault unless the names are one of the allowed lists. */
function named(path: string, names: readonly string[], allowed: readonly (readonly string[])[]): ScxFault[] {
  return allowed.some((list) => list.join() === names.join()) ? [] : [fault(path, `has the values ${names.join(', ')}`)]
}

interface Frame {
  range: { start: IsoDate; end: IsoDate }
  buyType: EdiBuyType
}

function checkSystemOrder({ key, totals, weeks, detailLine }: ScxSystemOrder, path: string, { range, buyType }: Frame): ScxFault[] {
  const month = key.at(-1)?.id
  const starts = new Map(weeks.week.map((week) => [week['@number'], week['@startDate']]))
  const faults = tie(
    `${path}/totals`,
    totals,
    detailLine.map((line) => line.totals),
  )
  faults.push(...named(`${path}/key/@codeDescription`, descriptions(key), [['Network', 'BroadcastMonth']]))
  if (weeks['@count'] !== weeks.week.length) faults.push(fault(`${path}/weeks/@count`, 'is not the number of weeks'))
  for (const [index, week] of weeks.week.entries()) {
    const at = `${path}/weeks/week[${index + 1}]`
    const start = week['@startDate']
    const last = buyType === 'weekly' ? addDays(start, 6) : start
    if (week['@number'] !== index + 1) faults.push(fault(`${at}/@number`, 'must count from 1'))
    if (index > 0 && start <= (weeks.week[index - 1]?.['@startDate'] ?? ''))
      faults.push(fault(`${at}/@startDate`, 'is not after the one before'))
    if (last < range.start || start > range.end) faults.push(fault(`${at}/@startDate`, 'is outside dateRange'))
    if (broadcastMonthOf(start) !== month) faults.push(fault(`${at}/@startDate`, 'is in another broadcast month'))
    if (buyType === 'weekly' && weekdayOf(start) !== 'Mon') faults.push(fault(`${at}/@startDate`, 'is not a Monday'))
  }
  const used = new Set(detailLine.flatMap(({ spot }) => spot.map(({ weekNumber }) => weekNumber)))
  for (const number of starts.keys()) if (!used.has(number)) faults.push(fault(`${path}/weeks`, `has week ${number}, which no line uses`))
  return [...faults, ...detailLine.flatMap((line, index) => checkLine(line, `${path}/detailLine[${index + 1}]`, starts, buyType))]
}

function checkLine(line: ScxDetailLine, path: string, starts: ReadonlyMap<number, IsoDate>, buyType: EdiBuyType): ScxFault[] {
  const { spot, totals, spotCost, dayOfWeek, startDay, startTime, endTime } = line
  const faults: ScxFault[] = []
  const spots = spot.reduce((total, { quantity }) => total + quantity, 0)
  if (spots !== totals.spots) faults.push(fault(`${path}/totals/spots`, 'is not the sum of its spots'))
  // A line that is split by month may differ from its own product by a minor unit, so that the parts add up to the whole.
  const off = decimal(spotCost['#text']).times(decimal(spots)).minus(decimal(totals.cost['#text'])).abs()
  if (off.gt(minorUnit(spotCost['@currency']))) faults.push(fault(`${path}/totals/cost`, 'is not spotCost times spots'))
  if (startTime === endTime) faults.push(fault(`${path}/endTime`, 'must differ from startTime'))
  const dates = spot.flatMap(({ weekNumber }) => starts.get(weekNumber) ?? [])
  if (dates.length < spot.length) return [...faults, fault(`${path}/spot/weekNumber`, 'must be the number of a week')]
  for (const [index, each] of spot.entries()) {
    if (!each['@id'].endsWith(`:${dates[index]}`)) faults.push(fault(`${path}/spot[${index + 1}]/@id`, 'must end in the date of its week'))
  }
  const flagged = DAYS.filter((day) => dayOfWeek[day] === 'Y')
  if (!flagged.some((day) => STARTS[day] === startDay)) faults.push(fault(`${path}/startDay`, 'is not a booked day'))
  if (buyType === 'weekly') return faults
  const booked = new Set(dates.map((date) => WEEKDAY_NAMES[weekdayOf(date)]))
  if (flagged.length !== booked.size || !flagged.every((day) => booked.has(day))) {
    faults.push(fault(`${path}/dayOfWeek`, 'must be the days of its spots'))
  }
  if (STARTS[WEEKDAY_NAMES[weekdayOf(dates[0] ?? '')]] !== startDay) faults.push(fault(`${path}/startDay`, 'is not the first booked day'))
  return faults
}

function checkRanks({ detailLine }: ScxSystemOrder, path: string, ranks: ReadonlySet<number>): ScxFault[] {
  return detailLine.flatMap(({ demoValue }, index) =>
    demoValue === undefined || ranks.has(demoValue['@demoRank'])
      ? []
      : [fault(`${path}/detailLine[${index + 1}]/demoValue/@demoRank`, 'must be the rank of a demo')],
  )
}

const WEEKDAY_NAMES = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
} as const
const DAYS = Object.values(WEEKDAY_NAMES)
const STARTS: Record<ScxDay, ScxDetailLine['startDay']> = {
  Monday: 'M',
  Tuesday: 'Tu',
  Wednesday: 'W',
  Thursday: 'Th',
  Friday: 'F',
  Saturday: 'Sa',
  Sunday: 'Su',
}

/** Returns a fault unless the totals of the parts equal those of the whole exactly. */
function tie(path: string, whole: ScxTotals, parts: readonly ScxTotals[]): ScxFault[] {
  const cost = sum(parts.map((part) => part.cost['#text']))
  const spots = parts.reduce((total, part) => total + part.spots, 0)
  return [
    ...(sameAmount(cost, whole.cost['#text']) ? [] : [fault(`${path}/cost`, 'is not the sum of its parts')]),
    ...(spots === whole.spots ? [] : [fault(`${path}/spots`, 'is not the sum of its parts')]),
  ]
}

function unique(path: string, values: readonly (string | number)[]): ScxFault[] {
  return new Set(values).size === values.length ? [] : [fault(path, 'is there twice')]
}

function fault(path: string, message: string): ScxFault {
  return { path, message: `${path} ${message}.` }
}
