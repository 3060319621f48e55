import { describe, expect, it } from '@jest/globals'
import { audienceGuarantees } from '../../../src/domain/settlement/audienceGuarantees.ts'
import { bookedGuarantees } from '../../../src/domain/settlement/bookedGuarantees.ts'
import { aPlacedOrder } from '../../support/edi/anEdiOrder.ts'
import { someSpots } from '../../support/settlement/aSellerRow.ts'

const guarantee = { unit_id: 'unit_a', audience_code: 'A25-54', stream: 'C3', per_unit: 1_000 } as const
const booked = [someSpots({ units: 2 }), someSpots({ units: 3, air_date: '2026-12-08' }), someSpots({ units: 9, unit_id: 'unit_b' })]
const post = { unit_id: 'unit_a', audience_code: 'A25-54', stream: 'C3', impressions: '4200' }

describe('a guarantee', () => {
  it('is of every accepted unit, and its shortfall what final posts of its stream do not reach', () => {
    const others = [
      { ...post, stream: 'C7', impressions: '9000' },
      { ...post, unit_id: 'unit_b', impressions: '9000' },
    ]
    expect(audienceGuarantees([guarantee], booked, [post, ...others])).toEqual([
      { unit_id: 'unit_a', audience_code: 'A25-54', stream: 'C3', guaranteed: 5_000, delivered: 4_200, shortfall: 800 },
    ])
  })

  it.each([
    ['that is reached has no shortfall', [{ ...post, impressions: '5000.5' }], 5_000.5, 0],
    ['without posts is short of all', [], 0, 5_000],
  ])('%s', (_, delivered, impressions, shortfall) => {
    expect(audienceGuarantees([guarantee], booked, delivered)).toMatchObject([{ delivered: impressions, shortfall }])
  })

  it('counts no mirrors, and nothing of dates that a cancellation took away', () => {
    const spots = [someSpots({ units: 2, kind: 'mirror' }), someSpots({ units: 0 })]
    expect(audienceGuarantees([guarantee], spots, [])).toMatchObject([{ guaranteed: 0, shortfall: 0 }])
  })

  it('says nothing of delivery where the posting policy names no stream', () => {
    expect(audienceGuarantees([{ ...guarantee, stream: null }], booked, [post])).toEqual([
      {
        ...{ unit_id: 'unit_a', audience_code: 'A25-54', stream: null, guaranteed: 5_000 },
        ...{ delivered: null, shortfall: null, reason: 'policy_unstated' },
      },
    ])
  })
})

describe('what an order guarantees', () => {
  const { order } = aPlacedOrder()
  const [line] = order.lines
  const withPolicy = (
    policy: string | null,
    rate: object = { buy_type: 'audience_guaranteed', guaranteed_impressions: 1_000, audience_code: 'A' },
  ) =>
    bookedGuarantees({
      ...order,
      lines: [{ ...line, posting_policy: { policy, source: 'product' }, rate: { ...line?.rate, ...rate } } as (typeof order.lines)[number]],
    })

  it.each([
    ...['Live', 'live only'].map((policy) => [policy, 'Live'] as const),
    ...['C3', 'c3', 'live_plus_3', 'Live+3', 'L+3'].map((policy) => [policy, 'C3'] as const),
    ...['C7', 'live plus 7', 'L7'].map((policy) => [policy, 'C7'] as const),
    ...['C30', 'best of three', '', null].map((policy) => [policy, null] as const),
  ])('is posted by the stream that its policy names: %j', (policy, stream) => {
    expect(withPolicy(policy)).toEqual([{ unit_id: line?.unit_id, audience_code: 'A', stream, per_unit: 1_000 }])
  })

  it('is nothing on a line that is not bought by audience', () => {
    expect(withPolicy('C3', { buy_type: 'preemptible', guaranteed_impressions: undefined })).toEqual([])
  })
})
