import { describe, expect, it } from '@jest/globals'
import { ORDER_STATUSES } from '../../../src/contract/vocabulary.ts'
import { gateDue } from '../../../src/domain/gate/gateDue.ts'

describe('gateDue', () => {
  it.each([
    ['rules', 'rules'],
    ['pull', 'pull'],
    ['console', null],
    ['api', null],
    [undefined, null],
  ] as const)('is, where the profile says %s and an order comes to its seller, %s', (approval, gate) => {
    for (const from of ORDER_STATUSES.filter((status) => status !== 'seller_review')) {
      expect(gateDue(from, 'seller_review', approval)).toBe(gate)
    }
  })

  it('does not change while the order stays with its seller, even if the profile changes', () => {
    expect(gateDue('seller_review', 'seller_review', 'rules')).toBeUndefined()
    expect(gateDue('seller_review', 'seller_review', 'pull')).toBeUndefined()
  })

  it('does not exist once the order has left its seller', () => {
    for (const to of ORDER_STATUSES.filter((status) => status !== 'seller_review')) expect(gateDue('seller_review', to, 'rules')).toBeNull()
  })
})
