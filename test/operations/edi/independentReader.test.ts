import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { renderScx } from '../../../src/adapters/mail/scx.ts'
import { mondayOfDate } from '../../../src/domain/calendar.ts'
import { sameAmount } from '../../../src/domain/decimal.ts'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { xmlText } from '../../../src/domain/edi/xmlText.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from '../../support/edi/anEdiOrder.ts'
import { hasLxml, readByLxml } from '../../support/edi/lxmlReader.ts'
import { type EdiOrder, someEdiOrder } from '../../support/edi/someEdiOrder.ts'

/** A reader in another language, with another parser, that shares nothing with what writes: left out where it cannot be had, and says so. */
const present = await hasLxml()
if (!present) process.stderr.write('Python with lxml cannot be had here: no independent reader reads the order documents.\n')
const withReader = present ? describe : describe.skip

const render = ({ order, message, terms, descriptors }: EdiOrder) => renderScx(buildScx(order, message, terms, descriptors).tree)

withReader('a reader that shares nothing with the writer', () => {
  it('finds the figures of the worked example', async () => {
    const { order, descriptors } = aPlacedOrder({ lines: EXAMPLE_LINES })
    const [read] = await readByLxml([render({ order, descriptors, message: aMessage(), terms: TERMS })])
    expect(read).toMatchObject({
      gross: '54446.80',
      currency: 'USD',
      costs: { unit_1: '33600.00', unit_2: '20846.80' },
      months: { '2027-02': '33600.00', '2027-03': '16938.03', '2027-04': '3908.77' },
    })
  })

  it('finds the figures and the estimate of the snapshot of any order', async () => {
    const drawn = fc.sample(someEdiOrder, { numRuns: 300, seed: 14 })
    const read = await readByLxml(drawn.map(render))
    drawn.forEach(({ order, terms }, index) => {
      const found = read[index]
      const { totals, line_items, buyer_metadata } = snapshot(order)
      const { estimate_id } = buyer_metadata
      expect(found?.estimate_id ?? '').toBe(xmlText(estimate_id ?? ''))
      expect([found?.gross, sameAmount(found?.gross ?? 0, totals.gross)]).toEqual([found?.gross, true])
      expect(found?.currency).toBe(totals.currency)
      const startOf = terms.buy_type === 'weekly' ? mondayOfDate : (date: string) => date
      for (const { unit_id, allocation } of line_items) {
        const units: Record<string, number> = {}
        for (const { date, units: count } of allocation) units[startOf(date)] = (units[startOf(date)] ?? 0) + count
        expect(found?.units[unit_id]).toEqual(units)
      }
    })
  })
})
