import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { renderScx } from '../../../src/adapters/mail/scx.ts'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { checkScx } from '../../../src/domain/edi/checkScx.ts'
import type { ScxTree } from '../../../src/domain/edi/scxTree.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from '../../support/edi/anEdiOrder.ts'
import { schemaFault } from '../../support/edi/xsdProfile.ts'

const { order, descriptors } = aPlacedOrder({
  lines: EXAMPLE_LINES,
  buyer_metadata: { advertiser_id: 'adv-1', campaign_id: 'cam-1', estimate_id: 'est-1' },
})
const SUPERSEDES = { order_id: 'ord_0', external_order_id: 'ext-0' }
const GROSS = snapshot(order).totals.gross
const sound = (): ScxTree => buildScx(order, aMessage({ event: 'revised', supersedes: SUPERSEDES }), TERMS, descriptors).tree

const CAMPAIGN = 'adx.campaign'
const ORDER = `${CAMPAIGN}.order`
const SYSTEM = `${ORDER}.systemOrder.1`
const LINE = `${SYSTEM}.detailLine.0`
const LONG = 'x'.repeat(256)

/** Values that an element or attribute must not have; both the check and the schema refuse each. */
const FACETS: [path: string, values: unknown[]][] = [
  ['adx.document.schemaVersion', ['1.1', '', ' 1.0']],
  ['adx.document.name', ['', LONG, '\u0001']],
  ['adx.document.date', ['2027-02-30', '2027-2-3', '2027-02-03Z', '']],
  ['adx.document.mediaType', ['spotcable', '']],
  ['adx.document.documentType', ['Proposal', '']],
  ['adx.document.documentCode', ['', '\ufffe']],
  [`${CAMPAIGN}.key.0.@codeOwner`, ['agency', 'Spotcable', '']],
  [`${CAMPAIGN}.key.0.@codeDescription`, ['', LONG]],
  [`${CAMPAIGN}.key.0.id`, ['', '\u0000']],
  [`${CAMPAIGN}.key.0.version`, [0, -1, 1.5, '1e3', '']],
  [`${CAMPAIGN}.key.0.status`, ['canceled', '']],
  [`${CAMPAIGN}.key.0.subStatus`, ['confirmed', '']],
  [`${CAMPAIGN}.key.0.createDate`, ['2027-13-01', '']],
  [`${CAMPAIGN}.key.0.updateDate`, ['yesterday', '']],
  [`${CAMPAIGN}.dateRange.startDate`, ['2027-02-29', '']],
  [`${CAMPAIGN}.dateRange.endDate`, ['20270201', '']],
  [`${CAMPAIGN}.company.0.@type`, ['Advertiser', '']],
  [`${CAMPAIGN}.company.0.name`, ['', LONG]],
  [`${CAMPAIGN}.company.0.ID.code.@codeOwner`, ['Seller', '']],
  [`${CAMPAIGN}.company.0.ID.code.#text`, ['', '\u001f']],
  [`${CAMPAIGN}.advertiser.name`, ['', LONG]],
  [`${CAMPAIGN}.advertiser.ID.code.#text`, ['']],
  [`${CAMPAIGN}.product.name`, ['', LONG]],
  [`${CAMPAIGN}.estimate.desc`, ['x', ' ']],
  [`${CAMPAIGN}.estimate.ID.code.#text`, ['', '\u000b']],
  [`${CAMPAIGN}.makeGoodPolicy.code`, ['x']],
  [`${CAMPAIGN}.demo.0.@demoRank`, [0, '', 'first']],
  [`${CAMPAIGN}.demo.0.group`, ['Adult', '']],
  [`${CAMPAIGN}.demo.0.ageFrom`, [100, -1, '']],
  [`${CAMPAIGN}.demo.0.ageTo`, [100, '99+']],
  [`${CAMPAIGN}.buyType`, ['Daily', 'monthly', '']],
  [`${ORDER}.totals.cost.@currency`, ['usd', 'US', '']],
  [`${ORDER}.totals.cost.#text`, ['54446.8', '54,446.80', '-1.00', '1e21', '']],
  [`${ORDER}.totals.spots`, [0, -24, 2.5, '']],
  [`${ORDER}.market.@nsi_id`, [-1, '', 'x']],
  [`${ORDER}.market.name`, ['', LONG]],
  [`${ORDER}.comment`, ['x', ' ']],
  [`${SYSTEM}.comment`, ['x']],
  [`${SYSTEM}.system.name`, ['', LONG]],
  [`${SYSTEM}.system.syscode`, ['000', '00000', 'abcd', '']],
  [`${SYSTEM}.affiliateSplit`, [1, '']],
  [`${SYSTEM}.totals.cost.#text`, ['1.5', '']],
  [`${SYSTEM}.totals.spots`, [0, '']],
  [`${SYSTEM}.weeks.@count`, [0, '']],
  [`${SYSTEM}.weeks.week.0.@number`, [0, 54, '01', '']],
  [`${SYSTEM}.weeks.week.0.@startDate`, ['2027-02-31', '']],
  [`${LINE}.@detailLineID`, [0, 'a', '']],
  [`${LINE}.startTime`, ['24:00:00', '9:00:00', '20:00', '20:00:01', '']],
  [`${LINE}.endTime`, ['25:30:00', '23:60:00', '']],
  [`${LINE}.startDay`, ['Mo', 'Monday', 'm', '']],
  [`${LINE}.dayOfWeek.Monday`, ['y', 'true', '']],
  [`${LINE}.dayOfWeek.Sunday`, ['0', '']],
  [`${LINE}.length`, ['PT0S', 'PT3601S', 'PT30.5S', 'PT1M', '30', '']],
  [`${LINE}.daypartCode`, ['prime', 'Overnight', '']],
  [`${LINE}.program`, ['', LONG]],
  [`${LINE}.comment`, [LONG, '\u0001']],
  [`${LINE}.network.name`, ['', LONG]],
  [`${LINE}.network.ID.code.#text`, ['']],
  [`${LINE}.network.ID.code.@codeOwner`, ['Strata', '']],
  [`${LINE}.spotCost.@currency`, ['US$', '']],
  [`${LINE}.spotCost.#text`, ['-1', '1.', '.5', '1e3', '']],
  [`${LINE}.demoValue.@demoRank`, [0, 2, '']],
  [`${LINE}.demoValue.value.0.@type`, ['impressions', '']],
  [`${LINE}.demoValue.value.0.#text`, ['105,500', '']],
  [`${LINE}.totals.cost.#text`, ['16938.0', '']],
  [`${LINE}.totals.spots`, [0, '']],
  [`${LINE}.spot.0.@id`, ['', '\u0001']],
  [`${LINE}.spot.0.weekNumber`, [0, 54, 13, '']],
  [`${LINE}.spot.0.quantity`, [0, -1, 1.5, '']],
]

describe('a value that is not allowed', () => {
  it.each(FACETS)('at %s is refused by the check and by the schema', (path, values) => {
    for (const value of values) {
      const tree = changed(sound(), path, value)
      expect([path, value, checkScx(tree, GROSS).length > 0]).toEqual([path, value, true])
      expect([path, value, schemaFault(renderScx(tree)) !== undefined]).toEqual([path, value, true])
    }
  })

  it('is tried in every element and attribute of a document', () => {
    const tried = new Set(FACETS.map(([path]) => path.replace(/\.\d+/g, '')))
    const alike = (path: string) => [...tried].some((each) => path === each || sharesType(path, each))
    expect(leaves(sound()).filter((path) => !alike(path.replace(/\.\d+/g, '')))).toEqual([])
  })
})

/** Codes, keys, totals and names of one type are tried in one place. */
function sharesType(path: string, tried: string): boolean {
  const TYPES = [
    /(ID\.code\.(#text|@codeOwner))$/,
    /(key\.(id|status|@\w+))$/,
    /(totals\.(cost\.(#text|@currency)|spots))$/,
    /(dayOfWeek)\.\w+$/,
  ]
  return TYPES.some((type) => type.test(path) && type.exec(path)?.[1] === type.exec(tried)?.[1])
}

describe('a document whose figures or dates contradict each other', () => {
  const refused = (path: string, value: unknown, at: string) => {
    expect(checkScx(changed(sound(), path, value), GROSS).map((fault) => fault.path)).toContain(at)
  }

  it('is refused when its total is not the gross of the order', () => {
    expect(checkScx(sound(), GROSS + 0.01).map(({ path }) => path)).toEqual(['/adx/campaign/order/totals/cost'])
  })
  it.each([
    [`${ORDER}.totals.cost.#text`, '54446.81', '/adx/campaign/order/totals/cost'],
    [`${ORDER}.totals.spots`, 25, '/adx/campaign/order/totals/spots'],
    [`${SYSTEM}.totals.cost.#text`, '16938.04', '/adx/campaign/order/systemOrder[2]/totals/cost'],
    [`${SYSTEM}.totals.spots`, 14, '/adx/campaign/order/systemOrder[2]/totals/spots'],
    [`${LINE}.totals.cost.#text`, '16939.03', '/adx/campaign/order/systemOrder[2]/detailLine[1]/totals/cost'],
    [`${LINE}.spotCost.#text`, '1302.93', '/adx/campaign/order/systemOrder[2]/detailLine[1]/totals/cost'],
    [`${LINE}.spot.0.quantity`, 3, '/adx/campaign/order/systemOrder[2]/detailLine[1]/totals/spots'],
    [`${LINE}.spotCost.@currency`, 'EUR', '/adx/campaign/order/totals/cost/@currency'],
  ])('is refused with %s %s', refused)
  it('is refused when a week of a weekly document is no Monday', () => {
    const { tree } = buildScx(order, aMessage(), { ...TERMS, buy_type: 'weekly' }, descriptors)
    expect(checkScx(tree, GROSS)).toEqual([])
    const faults = checkScx(changed(tree, `${SYSTEM}.weeks.week.0.@startDate`, '2027-03-02'), GROSS)
    expect(faults.map(({ path }) => path)).toContain('/adx/campaign/order/systemOrder[2]/weeks/week[1]/@startDate')
  })
  it.each([
    [`${CAMPAIGN}.dateRange.startDate`, '2028-01-01', '/adx/campaign/dateRange'],
    [`${CAMPAIGN}.dateRange.endDate`, '2027-03-30', '/adx/campaign/order/systemOrder[3]/weeks/week[3]/@startDate'],
    [`${SYSTEM}.weeks.week.0.@startDate`, '2027-02-28', '/adx/campaign/order/systemOrder[2]/weeks/week[1]/@startDate'],
    [`${SYSTEM}.weeks.week.1.@startDate`, '2027-03-01', '/adx/campaign/order/systemOrder[2]/weeks/week[2]/@startDate'],
    [`${SYSTEM}.weeks.week.0.@number`, 2, '/adx/campaign/order/systemOrder[2]/weeks/week[1]/@number'],
    [`${SYSTEM}.weeks.@count`, 11, '/adx/campaign/order/systemOrder[2]/weeks/@count'],
    [`${LINE}.spot.0.weekNumber`, 13, '/adx/campaign/order/systemOrder[2]/detailLine[1]/spot/weekNumber'],
    [`${LINE}.spot.0.weekNumber`, 2, '/adx/campaign/order/systemOrder[2]/weeks'],
    [`${LINE}.dayOfWeek.Sunday`, 'Y', '/adx/campaign/order/systemOrder[2]/detailLine[1]/dayOfWeek'],
    [`${LINE}.dayOfWeek.Monday`, 'N', '/adx/campaign/order/systemOrder[2]/detailLine[1]/startDay'],
    [`${LINE}.startDay`, 'W', '/adx/campaign/order/systemOrder[2]/detailLine[1]/startDay'],
    [`${LINE}.endTime`, '20:00:00', '/adx/campaign/order/systemOrder[2]/detailLine[1]/endTime'],
  ])('is refused with %s %s', refused)
  it.each([
    [`${LINE}.@detailLineID`, 1, '/adx/campaign/order//detailLine/@detailLineID'],
    [`${LINE}.spot.1.@id`, 'unit_2:2027-03-01', '/adx/campaign/order//spot/@id'],
    [`${LINE}.spot.0.@id`, 'unit_2:2027-03-02', '/adx/campaign/order/systemOrder[2]/detailLine[1]/spot[1]/@id'],
    [`${CAMPAIGN}.company.0.@type`, 'Rep', '/adx/campaign/company/@type'],
    [`${CAMPAIGN}.key.0.@codeDescription`, 'CampaignID', '/adx/campaign/key/@codeDescription'],
    [`${ORDER}.key.2.@codeDescription`, 'OrderID', '/adx/campaign/order/key/@codeDescription'],
    [`${SYSTEM}.key.0.@codeDescription`, 'BroadcastMonth', '/adx/campaign/order/systemOrder[2]/key/@codeDescription'],
    [`${LINE}.demoValue.@demoRank`, 2, '/adx/campaign/order/systemOrder[2]/detailLine[1]/demoValue/@demoRank'],
    [`${CAMPAIGN}.demo.0.ageFrom`, 55, '/adx/campaign/demo'],
  ])('is refused with %s %s', refused)
})

describe('a document of another shape', () => {
  it('is refused, whatever element is left out, doubled, renamed, added or moved', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('omit', 'double', 'rename', 'add', 'move'), (at, how) => {
        const tree = sound()
        const places = parents(tree)
        const [parent, name] = places[at % places.length] as [Record<string, unknown>, string]
        if (!reshape(parent, name, how)) return
        expect([how, name, checkScx(tree, GROSS).length > 0]).toEqual([how, name, true])
        expect([how, name, schemaFault(renderScx(tree)) !== undefined]).toEqual([how, name, true])
      }),
      { numRuns: 300 },
    )
  })
})

/** Elements that a document may do without, so that their absence is no fault by itself. */
const OPTIONAL = ['version', 'status', 'subStatus', 'createDate', 'updateDate', 'estimate', 'demoValue', 'demo']
const REPEATED = ['detailLine', 'systemOrder', 'spot', 'week', 'key', 'demo', 'company', 'value']

/** False for a change that leaves another sound document. */
function reshape(parent: Record<string, unknown>, name: string, how: string): boolean {
  const entries = Object.entries(parent)
  const index = entries.findIndex(([each]) => each === name)
  const entry = entries[index] as [string, unknown]
  if (how === 'omit') {
    if (OPTIONAL.includes(name)) return false
    entries.splice(index, 1)
  } else if (how === 'double') {
    if (REPEATED.includes(name) || name[0] === '@') return false
    entries[index] = [name, [entry[1], entry[1]]]
  } else if (how === 'rename') entries[index] = [`${name}X`, entry[1]]
  else if (how === 'add') entries.push(['extra', 'x'])
  else {
    const next = entries[index + 1]
    if (next === undefined || name[0] === '@' || next[0][0] === '#') return false
    entries[index] = next
    entries[index + 1] = entry
  }
  for (const each of Object.keys(parent)) delete parent[each]
  Object.assign(parent, Object.fromEntries(entries))
  return true
}

/** Every object of a tree with each of its members. */
function parents(node: unknown): [Record<string, unknown>, string][] {
  if (Array.isArray(node)) return node.flatMap(parents)
  if (typeof node !== 'object' || node === null) return []
  const object = node as Record<string, unknown>
  const own = Object.keys(object)
    .filter((name) => name !== '#text' && name !== 'adx')
    .map((name): [Record<string, unknown>, string] => [object, name])
  return [...own, ...Object.values(object).flatMap(parents)]
}

function leaves(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return [path]
  return Object.entries(node).flatMap(([name, value]) => leaves(value, path === '' ? name : `${path}.${name}`))
}

function changed(tree: ScxTree, path: string, value: unknown): ScxTree {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce<Record<string, unknown>>((node, step) => node[step] as Record<string, unknown>, { ...tree })
  expect(Object.keys(parent)).toContain(last)
  parent[last] = value
  return tree
}
