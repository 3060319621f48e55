import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { CreateOrder, IGNORED_MEMBERS } from '../../src/contract/createOrder.ts'
import { Product } from '../../src/contract/product.ts'
import { Capabilities, SellerProfile } from '../../src/contract/seller.ts'
import { unknownMembers } from '../../src/contract/unknownMembers.ts'

const unknownOfOrder = (sent: unknown) => unknownMembers([CreateOrder], sent, IGNORED_MEMBERS)

describe('unknownMembers', () => {
  it('finds nothing in what the schema knows', () => {
    const line = { product_id: 'p', period: { grain: 'day', start: '2030-06-05' }, rate: { unit_cost: 1, rate_basis: 'per_unit' } }
    expect(unknownOfOrder({ seller: 's', buyer_metadata: { advertiser_id: 'a' }, line_items: [line] })).toEqual([])
  })

  it.each([
    ['doNotAir', 'do_not_air'],
    ['do-not-air', 'do_not_air'],
    ['Units', 'units'],
    ['traffic_instruction', 'traffic_instructions'],
  ])('names %s on a line with its pointer, and %s as what was probably meant', (sent, nearest) => {
    expect(unknownOfOrder({ line_items: [{}, { [sent]: 1 }] })).toEqual([
      { code: 'UNKNOWN_MEMBER', pointer: `/line_items/1/${sent}`, nearest },
    ])
  })

  it('suggests nothing for a name that resembles no known one', () => {
    expect(unknownOfOrder({ colour: 'red' })).toEqual([{ code: 'UNKNOWN_MEMBER', pointer: '/colour' }])
  })

  it('finds nothing in what the specification ignores or keeps', () => {
    expect(
      unknownOfOrder({
        workflow: 'catalog',
        revision: { supersedes: 'ord_1', version: 7 },
        request: { request_type: 'open', brief: 'b', wish: 1 },
        buyer_metadata: { advertiser_id: 'a', buyer_contact: { fax: '1' } },
        line_items: [{ creative_snapshot: {} }],
      }),
    ).toEqual([])
  })

  it('escapes a pointer', () => {
    expect(unknownOfOrder({ 'a/b~c': 1 })).toMatchObject([{ pointer: '/a~1b~0c' }])
  })

  it('looks into the variant of a union that the value says it is', () => {
    const product = { type: 'rotator', definition: { windows: [{ days: ['Mon'], start: '08:00', end: '09:00', ends: 1 }], title: 'x' } }
    expect(unknownMembers([Product], product).map(({ pointer }) => pointer)).toEqual(['/definition/windows/0/ends', '/definition/title'])
  })

  it('takes what any of several schemas knows', () => {
    const sent = { approval: 'api', conformance_level: 1, aproval: 'pull' }
    expect(unknownMembers([SellerProfile, Capabilities], sent)).toEqual([
      { code: 'UNKNOWN_MEMBER', pointer: '/aproval', nearest: 'approval' },
    ])
  })

  it('finds nothing in values of the wrong type, lists of anything and closed objects', () => {
    const schema = z.object({ list: z.array(z.unknown()), closed: z.strictObject({ a: z.string() }), object: z.object({ a: z.string() }) })
    expect(unknownMembers([schema], { list: [{ x: 1 }], closed: { b: 1 }, object: [{ b: 1 }] })).toEqual([])
    for (const sent of [null, 'x', 1, [], undefined]) expect(unknownMembers([schema], sent)).toEqual([])
  })

  it('stops at a hundred', () => {
    const sent = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, 1]))
    expect(unknownOfOrder(sent)).toHaveLength(100)
  })
})
