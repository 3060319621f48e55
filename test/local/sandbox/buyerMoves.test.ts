import { describe, expect, it } from '@jest/globals'
import type { OrderSnapshot } from '../../../src/contract/order.ts'
import { campaignOf, nextBuyerMove } from '../../../src/local/sandbox/buyerMoves.ts'

const NOW = '2030-06-03T12:00:00.000Z'
const order = (then: Parameters<typeof campaignOf>[0], more: Partial<OrderSnapshot>) =>
  ({
    ...{ status: 'negotiating', substatus: null, workflow: 'catalog', updated_at: NOW, artifacts: [] },
    buyer_metadata: { advertiser_id: 'adv', campaign_id: campaignOf(then) },
    ...more,
  }) as unknown as OrderSnapshot
const at = Date.parse(NOW) + 1_000

describe('the next move of the sandbox’s buyer', () => {
  it.each([
    ['accepts', {}, { does: 'respond', action: 'accept', at }],
    ['withdraws', {}, { does: 'respond', action: 'withdraw', at }],
    ['silent', {}, undefined],
    ['cancels', { status: 'seller_review' }, { does: 'cancel', at }],
    ['revises', { status: 'seller_review' }, { does: 'revise', at }],
    ['accepts', { status: 'seller_review' }, undefined],
    ['accepts', { substatus: 'quote_lapsed' }, undefined],
    [
      'accepts',
      { status: 'needs_confirmation', artifacts: [{ name: 'plan_proposal', plan_id: 'p1' }] },
      { does: 'confirm', action: 'confirm', at, plan_id: 'p1' },
    ],
    ['withdraws', { status: 'needs_confirmation' }, { does: 'confirm', action: 'reject', at }],
    ['cancels', { status: 'canceled' }, undefined],
  ] as const)('%s: %j', (then, more, move) => {
    expect(nextBuyerMove(order(then, more as Partial<OrderSnapshot>))).toEqual(move)
  })

  it('is none on an order that nobody asked for on demand', () => {
    for (const campaign_id of [undefined, 'spring', 'sandbox: dances']) {
      expect(
        nextBuyerMove(order('accepts', { buyer_metadata: { advertiser_id: 'adv', ...(campaign_id && { campaign_id }) } })),
      ).toBeUndefined()
    }
  })
})
