import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { Avail, PutAvails } from '../../../src/contract/avail.ts'
import { CreateOrder } from '../../../src/contract/createOrder.ts'
import { Product, PutCatalog } from '../../../src/contract/product.ts'
import { PutRateCard, RateEntry } from '../../../src/contract/rateCard.ts'
import { weeksBetween, weeksOfPeriod } from '../../../src/domain/calendar.ts'
import { checkFlight } from '../../../src/domain/lines/flight.ts'
import { stageAvails } from '../../../src/domain/publish/stageAvails.ts'
import { stageCatalog } from '../../../src/domain/publish/stageCatalog.ts'
import { stageRateCard } from '../../../src/domain/publish/stageRateCard.ts'
import { EXAMPLE_YEAR, flightYear, moveDates } from '../../../src/local/demo/moveDates.ts'

const YEARS = Array.from({ length: 30 }, (_, index) => EXAMPLE_YEAR + index)

const read = (name: string) => readFile(new URL(`../../../docs/examples/${name}.json`, import.meta.url), 'utf8')
const moved = async (name: string, year: number): Promise<unknown> => JSON.parse(moveDates(await read(name), year))
const parsed = <T>(values: T[]) => values.map((value, index) => ({ index, value }))

describe('the year of the demo', () => {
  it.each([
    ['2026-11-22', 2027],
    ['2026-12-14', 2027],
    ['2026-12-15', 2028],
    ['2027-06-01', 2028],
    ['2027-12-14', 2029],
  ])('on %s is %i, whose first quarter begins at least two weeks later', (today, year) => expect(flightYear(today)).toBe(year))
})

describe('the dates of an example', () => {
  it.each([
    ['2027-02-08', '2028-02-07'],
    ['2026-12-28', '2027-12-27'],
    ['2027-01-15T17:00:00Z', '2028-01-14T17:00:00Z'],
    ['2026-W53', '2027-W52'],
    ['2027-W05..2027-W06', '2028-W05..2028-W06'],
    ['W06 carries the finals', 'W06 carries the finals'],
    ['2027-02', '2028-02'],
    ['2/1,2/8', '1/31,2/7'],
    ['summit-2027-q1', 'summit-2028-q1'],
    ['ktvl-10-2027-q1', 'ktvl-10-2028-q1'],
    ['ridgeline-winter-2027', 'ridgeline-winter-2028'],
  ])('%s becomes %s in 2028', (text, expected) => expect(moveDates(text, 2028)).toBe(expected))

  it.each(['2026-01-11T08:00:00Z', '2026.2', '+1 555 0100', 'EST-20417', 'text/csv', '1/2/3', '13/45'])('%s stays', (text) =>
    expect(moveDates(text, 2028)).toBe(text),
  )

  it.each(YEARS)('of every file survive a move to %i and back', async (year) => {
    for (const name of ['order', 'plan', 'agreement', 'summit-catalog', 'summit-avails', 'ktvl-10-rate-card', 'redeliver']) {
      const text = await read(name)
      expect(moveDates(moveDates(text, year), EXAMPLE_YEAR, year)).toBe(text)
    }
  })
})

describe.each(YEARS)('the examples in %i', (year) => {
  it.each(['summit', 'ktvl-10'])('%s publishes without an error', async (seller) => {
    const products = PutCatalog.parse(await moved(`${seller}-catalog`, year)).products.map((product) => Product.parse(product))
    expect(stageCatalog([], parsed(products)).errors).toEqual([])
    const { effective, entries } = PutRateCard.parse(await moved(`${seller}-rate-card`, year))
    const known = new Set(products.map(({ product_id }) => product_id))
    expect(stageRateCard(effective, known, parsed(entries.map((entry) => RateEntry.parse(entry))), 'USD').errors).toEqual([])
    const { avails } = PutAvails.parse(await moved(`${seller}-avails`, year))
    const byId = new Map(products.map((product) => [product.product_id, product]))
    expect(stageAvails(byId, parsed(avails.map((avail) => Avail.parse(avail)))).errors).toEqual([])
  })

  it('every line of the order lands inside its flight, a month at one price', async () => {
    const { flight, line_items = [] } = CreateOrder.parse(await moved('order', year))
    expect(line_items.flatMap(({ period }, line) => checkFlight(flight, line, period, []))).toEqual([])
    const { effective, entries } = PutRateCard.parse(await moved('summit-rate-card', year))
    const inCard = weeksBetween(effective.start, effective.end)
    for (const { product_id, period } of line_items.filter((line) => line.period.grain === 'month')) {
      expect(inCard).toEqual(expect.arrayContaining(weeksOfPeriod(period.grain, period.start)))
      const ofOneWeek = entries.map((entry) => RateEntry.parse(entry)).filter((entry) => entry.product_id === product_id && entry.week)
      expect(ofOneWeek).toEqual([])
    }
  })
})
