import { beforeAll, describe, expect, it } from '@jest/globals'
import { weeksBetween } from '../../../src/domain/calendar.ts'
import { comparedWeeks } from '../../../src/domain/publish/grainConflict.ts'
import { currentPrices } from '../../../src/store/catalog/rateCards.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
const put = sellerPut(app)

const YEAR = { start: '2027-01-04', end: '2028-01-02' } // 52 ISO weeks
const read = async (productId: string, weeks: readonly string[]) => {
  const prices = await currentPrices(app.deps.db.sql, 'cable', [productId], { agreementId: null }, weeks)
  return prices.map(({ week, gross_rate_unit }) => `${week} ${gross_rate_unit}`).sort()
}

beforeAll(async () => {
  await put('catalog', aCatalog(aProduct('alike'), aProduct('mixed'))).expect(200)
  await put('rate-cards', { commit: 'year', effective: YEAR, entries: [aRate('alike'), aRate('mixed', { gross_rate_unit: 10 })] }).expect(
    200,
  )
  // A later commit replaces the price of one week in June.
  await put('rate-cards', { commit: 'june', effective: YEAR, entries: [aRate('mixed', { week: '2027-W24', gross_rate_unit: 12 })] }).expect(
    200,
  )
})

describe('currentPrices', () => {
  it('reads nothing of a card whose months are each alike, whatever its size', async () => {
    expect(await read('alike', [])).toEqual([])
  })

  it('reads the prices of the given weeks', async () => {
    const { length } = await read('alike', ['2027-W10', '2027-W11'])
    expect(length).toBe(2)
  })

  it('reads each month whose weeks differ whole, with the newest price of each week', async () => {
    const june = weeksBetween('2027-06-01', '2027-06-30')
    expect(await read('mixed', [])).toEqual(june.map((week) => `${week} ${week === '2027-W24' ? 12 : 10}`))
  })
})

describe('comparedWeeks', () => {
  it('are all weeks of the months that a week touches, both months of a week that spans two', () => {
    expect(comparedWeeks(['2027-W24'])).toEqual(weeksBetween('2027-06-01', '2027-06-30'))
    expect(comparedWeeks(['2027-W26'])).toEqual(weeksBetween('2027-06-01', '2027-07-31')) // June 28 to July 4
  })
})
