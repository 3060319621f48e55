import { describe, expect, it } from '@jest/globals'
import { noticeOf, offerFor } from '../../../src/local/sandbox/preempt.ts'

const line = {
  ...{ unit_id: 'unit_1', product_id: 'sbx-preempted', spot_length: 30 },
  allocation: [
    { date: '2030-06-07', units: 1 },
    { date: '2030-06-03', units: 2 },
    { date: '2030-06-05', units: 1 },
  ],
}

describe('a preempted line', () => {
  it('loses a unit of its first date', () => {
    expect(noticeOf(line).for).toEqual([
      { unit_id: 'unit_1', date: '2030-06-03', units: 1, reason_code: 'preempted', reason: 'Breaking news' },
    ])
  })

  it('is offered its next date, if one is to come', () => {
    const offer = { product_id: 'sbx-preempted', units: 1, spot_length: 30 }
    expect(offerFor(line, '2030-05-01')).toEqual({ ...offer, date: '2030-06-05' })
    expect(offerFor(line, '2030-06-05')).toEqual({ ...offer, date: '2030-06-07' })
    expect(offerFor(line, '2030-06-07')).toBeUndefined()
    expect(offerFor({ ...line, allocation: [{ date: '2030-06-03', units: 3 }] }, '2030-05-01')).toBeUndefined()
  })
})
