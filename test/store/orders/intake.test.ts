import { beforeAll, describe, expect, it } from '@jest/globals'
import type { ReadableCreate } from '../../../src/contract/readableCreate.ts'
import { monthKey } from '../../../src/domain/lines/monthKey.ts'
import { readIntake } from '../../../src/store/orders/orderFacts.ts'
import {
  aCommitRow,
  aHoldRow,
  anAgreementRow,
  anEndpointRow,
  anOrderRow,
  anUploadRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
} from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

const URL = 'https://one.example/hook'
/** May shares a week with June, of which July shares none. */
const MAY = monthKey('seller_one', 'buyer_one', 'prime', '2030-05')
const JUNE = monthKey('seller_one', 'buyer_one', 'prime', '2030-06')
const monthsOf = (...keys: string[]) => ({ month_lines: JSON.stringify(keys) })

/** 7 is the number of an update that is being written, 5 that of one that is published. */
beforeAll(() =>
  insertRows(db.owner(), [
    ...(['seller_one', 'seller_two'] as const).map((seller) => aTenantRow(seller, 'seller')),
    ...(['buyer_one', 'buyer_two'] as const).map((buyer) => aTenantRow(buyer, 'buyer')),
    aSellerRowOf('seller_two'),
    aSellerRowOf('seller_one', { unpublished_commit_nos: [7], taxonomy_version: 'tax-1' }),
    ['seller_buyers', { ...OTHER_SELLER, buyer_entity: 'buyer_one', status: 'suspended', allowlisted: false }],
    ['seller_buyers', { seller: 'seller_one', ...OTHER_BUYER, status: 'suspended', allowlisted: false }],
    ['seller_buyers', { seller: 'seller_one', buyer_entity: 'buyer_one', status: 'active', allowlisted: true }],
    anAgreementRow('agr_2'),
    anAgreementRow('agr_1'),
    anAgreementRow('agr_far', OTHER_SELLER),
    anAgreementRow('agr_theirs', OTHER_BUYER),
    anAgreementRow('agr_ended', { status: 'ended' }),
    anAgreementRow('agr_past', { effective: '[2020-01-01,2020-12-31]' }),
    aCommitRow('june', 1),
    aCommitRow('far', 2, OTHER_SELLER),
    ...['agr_1', 'agr_2', 'agr_far', 'agr_theirs', 'agr_ended', 'agr_past'].map((agreement_id, at) =>
      aCommitRow(`under ${agreement_id}`, 10 + at, { agreement_id }),
    ),
    aCommitRow('quoted', 20, { visible_to: 'buyer_one', order_id: 'ord_1' }),
    aCommitRow('quoted to another', 21, { visible_to: 'buyer_two', order_id: 'ord_1' }),
    aProductRow('prime', { replaced_by: 7, body: { mirror_product_id: 'west' } }),
    aProductRow('prime', { added_by: 7, body: { mirror_product_id: 'new-west' } }),
    aProductRow('prime', { ...OTHER_SELLER, body: { mirror_product_id: 'far-west' } }),
    ...['west', 'new-west', 'far-west', 'aside', 'aside-west'].map((id) =>
      aProductRow(id, id === 'aside' ? { body: { mirror_product_id: 'aside-west' } } : {}),
    ),
    aProductRow('updated', { added_by: 5 }),
    aProductRow('replaced', { replaced_by: 5 }),
    aProductRow('minted', { minted_for: 'buyer_one' }),
    aProductRow('theirs', { minted_for: 'buyer_two' }),
    anUploadRow('upl_1'),
    anUploadRow('upl_pinned', { pinned: true, expires_at: PAST }),
    anUploadRow('upl_lapsed', { expires_at: PAST }),
    anUploadRow('upl_pending', { status: 'pending' }),
    anUploadRow('upl_theirs', OTHER_BUYER),
    anUploadRow('upl_unnamed'),
    aHoldRow('hold_1'),
    aHoldRow('hold_over', { expires_at: PAST }),
    aHoldRow('hold_released', { status: 'released' }),
    aHoldRow('hold_theirs', OTHER_BUYER),
    aHoldRow('hold_far', OTHER_SELLER),
    aHoldRow('hold_unnamed'),
    anEndpointRow('whe_0_off', { status: 'disabled' }),
    anEndpointRow('whe_0_blind', { readable: ['catalog.window_opened'] }),
    anEndpointRow('whe_0_elsewhere', { url: 'https://two.example/hook' }),
    anEndpointRow('whe_0_theirs', { tenant: 'buyer_two' }),
    anEndpointRow('whe_2'),
    anEndpointRow('whe_1'),
    ...(['cre_1', 'cre_unnamed', 'cre_theirs'] as const).map(
      (creative_id) =>
        [
          'creatives',
          {
            ...{ creative_id, buyer_entity: creative_id === 'cre_theirs' ? 'buyer_two' : 'buyer_one' },
            ...{ creative_code: creative_id, name: 'Spot', length_seconds: 30, created_at: new Date() },
          },
        ] as const,
    ),
    anOrderRow('ord_alone', monthsOf(MAY)),
    anOrderRow('ord_root', { root: 'ord_root', ...monthsOf(MAY) }),
    anOrderRow('ord_member', { root: 'ord_root', supersedes: 'ord_root' }),
    anOrderRow('ord_months', monthsOf(MAY, JUNE)),
    anOrderRow('ord_june', monthsOf(JUNE)),
    anOrderRow('ord_far', { ...OTHER_SELLER, ...monthsOf(MAY) }),
    anOrderRow('ord_theirs', { ...OTHER_BUYER, ...monthsOf(MAY) }),
  ]),
)

const line = (product_id: string, more: object = {}) => ({ product_id, period: { grain: 'week', start: '2030-W23' }, ...more })
const ask = (more: object = {}) => ({ seller: 'seller_one', rate_version: 'june', line_items: [], ...more }) as unknown as ReadableCreate
const intake = (more: object = {}, buyer = 'buyer_one') => readIntake(db, ask(more), buyer)

describe('the intake of a create', () => {
  it('has the names and the standing of its own parties', async () => {
    expect(await intake()).toMatchObject({
      seller: { name: 'Name of seller_one', taxonomy_version: 'tax-1' },
      buyer_name: 'Name of buyer_one',
      standing: { status: 'active', allowlisted: true },
    })
    expect(await intake({ seller: 'nobody' })).toMatchObject({ seller: undefined, standing: { status: 'active', allowlisted: false } })
  })

  it('has the agreements in force between them, by id, whichever it presents', async () => {
    for (const agreement_id of [undefined, 'agr_2', 'agr_far']) {
      const { agreements } = await intake({ agreement_id })
      expect(agreements.map((one) => one.agreement_id)).toEqual(['agr_1', 'agr_2'])
    }
  })

  it.each([
    ['june', undefined, true],
    ['june', 'agr_1', true],
    ['far', undefined, false],
    ['nothing', undefined, false],
    ['quoted', undefined, true],
    ['quoted to another', undefined, false],
    ['under agr_1', undefined, false],
    ['under agr_1', 'agr_1', true],
    ['under agr_2', 'agr_1', false],
    ['under agr_1', 'agr_2', false],
    ['under agr_far', 'agr_far', false],
    ['under agr_theirs', 'agr_theirs', false],
    ['under agr_ended', 'agr_ended', false],
    ['under agr_past', 'agr_past', false],
  ])('knows the commit %j, with the agreement %s presented: %s', async (rate_version, agreement_id, known) => {
    expect((await intake({ rate_version, agreement_id })).rate_version_known).toBe(known)
  })

  it('has the products in force of the seller that lines name, with their mirrors, and those minted for the buyer', async () => {
    const named = ['prime', 'updated', 'replaced', 'minted', 'theirs']
    const { products } = await intake({ line_items: named.map((id) => line(id)) })
    expect(products.map((product) => (product as unknown as { row: string }).row).sort()).toEqual(['minted', 'prime', 'updated5', 'west'])
  })

  it('has the uploads, holds and creatives of the buyer that it names and can use', async () => {
    const holds = ['hold_1', 'hold_over', 'hold_released', 'hold_theirs', 'hold_far']
    const uploads = ['upl_1', 'upl_pinned', 'upl_lapsed', 'upl_pending', 'upl_theirs']
    const found = await intake({
      line_items: [
        ...holds.map((hold_id) => line('prime', { hold_id })),
        ...['cre_1', 'cre_theirs'].map((id) => line('prime', { creative_id: id })),
      ],
      attachments: uploads.map((upload_id) => ({ upload_id })),
    })
    expect(found.uploads.map(({ upload_id }) => upload_id).sort()).toEqual(['upl_1', 'upl_pinned'])
    expect(found.holds.map(({ hold_id }) => hold_id)).toEqual(['hold_1'])
    expect(found.creatives.map(({ creative_id }) => creative_id)).toEqual(['cre_1'])
  })

  it('has the first active endpoint of the buyer with the URL of notify_url that may be told of orders', async () => {
    expect((await intake({ notify_url: URL })).notify_endpoint).toBe('whe_1')
    expect((await intake({ notify_url: 'https://three.example/hook' })).notify_endpoint).toBeUndefined()
  })
})

describe('the order that a create revises', () => {
  it.each([
    ['ord_member', ['ord_member', 'ord_root']],
    ['ord_root', ['ord_member', 'ord_root']],
    ['ord_alone', ['ord_alone']],
    ['ord_far', undefined],
    ['ord_theirs', undefined],
    ['ord_none', undefined],
  ])('%s is read with its family, %j, if it is the buyer’s with the seller', async (supersedes, family) => {
    const { superseded } = await intake({ revision: { supersedes } })
    expect(superseded?.family.map(({ order_id }) => order_id).sort()).toEqual(family)
    expect(superseded?.version).toBe(family && 2)
  })
})

describe('the months that the buyer has booked', () => {
  const booked = async (supersedes?: string) => {
    const months = line('prime', { period: { grain: 'month', start: '2030-06' } })
    const { booked_months = [] } = await intake({ line_items: [months], ...(supersedes && { revision: { supersedes } }) })
    return booked_months.map(({ order_id, month }) => `${order_id} ${month}`).sort()
  }
  it('are those of its orders with the seller that share a week with an ordered one, but not of the family that it revises', async () => {
    const all = ['ord_alone 2030-05', 'ord_months 2030-05', 'ord_root 2030-05']
    expect(await booked()).toEqual(all)
    expect(await booked('ord_alone')).toEqual(all.filter((each) => !each.startsWith('ord_alone')))
    expect(await booked('ord_root')).toEqual(all.filter((each) => !each.startsWith('ord_root')))
    expect(await booked('ord_member')).toEqual(all.filter((each) => !each.startsWith('ord_root')))
  })
})
