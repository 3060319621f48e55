import { describe, expect, it } from '@jest/globals'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import type { Intake } from '../../../src/domain/order/checkOrder.ts'
import { create } from '../../../src/domain/order/create.ts'
import { aBirth, aLine, anIntake, aRequest } from '../../support/orders/anOrder.ts'

const day = (start: string, product_id = 'prime') => aLine({ product_id, period: { grain: 'day', start } })

describe('a warning of a create', () => {
  const avail = (grain: 'day' | 'week', start: string) => ({ product_id: 'prime', grain, start, state: 'unavailable' as const })
  const warnings = (line_items: LineItem[], intake: Partial<Intake> = {}) => {
    const request = aRequest({ line_items })
    return create(request, anIntake(request, intake), aBirth(line_items.length)).warnings
  }

  it('names per product the dates without a day-grain avail, each once and sorted', () => {
    const lines = [day('2026-12-11'), day('2026-12-09', 'news'), day('2026-12-08'), day('2026-12-11'), aLine()]
    expect(warnings(lines, { avails: [avail('week', '2026-W50')] })).toEqual([
      { code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'prime', dates: ['2026-12-08', '2026-12-11'] },
      { code: 'DATE_GRAIN_AVAILS_MISSING', product_id: 'news', dates: ['2026-12-09'] },
    ])
  })

  it('is not raised where the seller published the day, nor by a week line', () => {
    expect(warnings([day('2026-12-09')], { avails: [avail('day', '2026-12-09')] })).toEqual([])
    expect(warnings([aLine()])).toEqual([])
  })
})
