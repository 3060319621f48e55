import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { CreateHold } from '../../../src/contract/hold.ts'
import { saveElapsedHold } from '../../../src/store/orders/elapsed.ts'
import {
  answerHold,
  type HoldList,
  listHolds,
  listReceivedHolds,
  OPEN_HOLDS,
  readHold,
  readHoldIntake,
  readHoldParties,
  releaseHold,
  sweepHolds,
  tendHold,
} from '../../../src/store/orders/holds.ts'
import { answerKey, deleteOldHoldKeys, findHoldKey, openHold } from '../../../src/store/orders/openHold.ts'
import {
  aHoldRow,
  anAgreementRow,
  anAvailRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
} from '../../support/orders/rowsOfMarket.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const LONG_AGO = new Date(Date.now() - 2 * 3_600_000).toISOString()
/** A minute ago, and so many seconds before that. */
const aMinuteAgo = (seconds: number) => new Date(Date.now() - (60 + seconds) * 1_000).toISOString()

beforeAll(() =>
  insertRows(db.owner(), [
    aTenantRow('seller_one', 'seller'),
    aTenantRow('seller_two', 'seller'),
    aSellerRowOf('seller_one', { profile: '{"holds":true}', unpublished_commit_nos: [7] }),
    aSellerRowOf('seller_two'),
  ]),
)
beforeEach(async () => {
  await db.owner().query('truncate holds, hold_keys, outbox cascade')
})

const holds = (...rows: Parameters<typeof aHoldRow>[]) =>
  insertRows(
    db.owner(),
    rows.map((row) => aHoldRow(...row)),
  )
const statuses = async () =>
  Object.fromEntries((await db.owner().query('select hold_id, status from holds')).rows.map(({ hold_id, status }) => [hold_id, status]))
const woken = async () =>
  (await db.owner().query('select kind, target from outbox order by target, kind')).rows.map(({ kind, target }) => `${kind} ${target}`)
const ASK = CreateHold.parse({
  seller: 'seller_one',
  ttl_minutes: 15,
  lines: [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 10, spot_length: 30 }],
})

describe('what a hold is checked against', () => {
  const soldUntil = (end: string) => ({ body: { effective: { start: '2020-01-01', end } } })
  const today = new Date().toISOString().slice(0, 10)
  beforeAll(() =>
    insertRows(db.owner(), [
      ['seller_buyers', { ...OTHER_SELLER, buyer_entity: 'buyer_one', status: 'active', allowlisted: true }],
      ['seller_buyers', { seller: 'seller_one', ...OTHER_BUYER, status: 'active', allowlisted: true }],
      ['seller_buyers', { seller: 'seller_one', buyer_entity: 'buyer_one', status: 'suspended', allowlisted: false }],
      anAgreementRow('agr_2'),
      anAgreementRow('agr_1'),
      anAgreementRow('agr_far', OTHER_SELLER),
      anAgreementRow('agr_theirs', OTHER_BUYER),
      anAgreementRow('agr_ended', { status: 'ended' }),
      anAgreementRow('agr_past', { effective: '[2020-01-01,2020-12-31]' }),
      aProductRow('prime', soldUntil(today)),
      aProductRow('prime', OTHER_SELLER),
      aProductRow('over', soldUntil('2020-12-31')),
      aProductRow('hidden', { added_by: 7 }),
      aProductRow('minted', { minted_for: 'buyer_one' }),
      aProductRow('theirs', { minted_for: 'buyer_two' }),
      aProductRow('unnamed'),
      anAvailRow('prime', '2030-W23'),
      anAvailRow('prime', '2030-W24'),
      anAvailRow('unnamed', '2030-W23'),
      anAvailRow('prime', '2030-W23', { ...OTHER_SELLER, body: '{"spots":{"available":9}}' }),
      anAvailRow('minted', '2030-W23', { body: '{"units":{"available":3}}' }),
    ]),
  )

  it('is of the seller and the buyer, in force, and named by its lines', async () => {
    const lines = ['prime', 'over', 'hidden', 'minted', 'theirs'].map((product_id) => ({ ...ASK.lines[0], product_id }))
    const intake = await readHoldIntake(db, CreateHold.parse({ ...ASK, lines }), 'buyer_one')
    expect(intake.seller?.profile).toEqual({ holds: true })
    expect(intake.standing).toEqual({ status: 'suspended', allowlisted: false })
    expect(intake.agreements.map(({ agreement_id }) => agreement_id)).toEqual(['agr_1', 'agr_2'])
    expect(intake.products.map((product) => (product as unknown as { row: string }).row).sort()).toEqual(['minted', 'prime'])
    expect([...intake.avails].sort((one, other) => (one.product_id < other.product_id ? -1 : 1))).toMatchObject([
      { product_id: 'minted', start: '2030-W23', count: 3 },
      { product_id: 'prime', start: '2030-W23', count: 1 },
    ])
  })
})

describe('the answer of a seller’s API', () => {
  it('ends the asking for one hold and wakes its run, and changes no hold that is not asked for or is over', async () => {
    await holds(
      ['hold_1', { status: 'asking' }],
      ['hold_other', { status: 'asking' }],
      ['hold_over', { status: 'asking', expires_at: PAST }],
      ['hold_released', { status: 'released' }],
    )
    expect(await Promise.all(['hold_1', 'hold_over', 'hold_released'].map((id) => answerHold(db, id, 'held')))).toEqual([
      ...['held', undefined, 'released'],
    ])
    expect(await statuses()).toEqual({ hold_1: 'held', hold_other: 'asking', hold_over: 'asking', hold_released: 'released' })
    expect(await woken()).toEqual(['hold hold_1'])
    expect(await answerHold(db, 'hold_other', 'refused')).toBeUndefined()
  })
})

describe('a buyer’s holds', () => {
  beforeEach(() =>
    holds(
      ['hold_1', {}],
      ['hold_2', { status: 'released', expires_at: PAST }],
      ['hold_3', { expires_at: PAST }],
      ['hold_4', { status: 'asking' }],
      ['hold_5', { status: 'refused' }],
      ['hold_6', OTHER_BUYER],
      ['hold_7', OTHER_SELLER],
    ),
  )
  const listed = async (list: Partial<HoldList> = {}) =>
    (await listHolds(db, 'buyer_one', { limit: 9, ...list })).map(({ hold_id }) => hold_id)
  const received = async (list: Partial<HoldList> = {}) =>
    (await listReceivedHolds(db, 'seller_one', { limit: 9, ...list })).map(({ hold_id }) => hold_id)

  it('are listed newest first, by page and by the status that they show, without those that were never held', async () => {
    expect(await listed()).toEqual(['hold_7', 'hold_3', 'hold_2', 'hold_1'])
    expect(await listed({ limit: 2 })).toEqual(['hold_7', 'hold_3'])
    expect(await listed({ before: 'hold_3' })).toEqual(['hold_2', 'hold_1'])
    expect(await listed({ status: 'held' })).toEqual(['hold_7', 'hold_1'])
    expect(await listed({ status: 'expired' })).toEqual(['hold_3'])
    expect(await received()).toEqual(['hold_6', 'hold_3', 'hold_2', 'hold_1'])
    expect(await received({ status: 'held', before: 'hold_6', limit: 1 })).toEqual(['hold_1'])
  })

  it('are read by that buyer, one at a time', async () => {
    expect(await readHold(db, 'buyer_one', 'hold_2')).toMatchObject({ hold_id: 'hold_2', status: 'released' })
    for (const id of ['hold_4', 'hold_5', 'hold_6', 'hold_none']) expect(await readHold(db, 'buyer_one', id)).toBeUndefined()
    expect(await readHoldParties(db, 'hold_6')).toEqual({ seller: 'seller_one', buyer: 'buyer_two' })
    expect(await readHoldParties(db, 'hold_none')).toBeUndefined()
  })

  it('are released by that buyer while they are held, and wake their run', async () => {
    const before = await statuses()
    for (const id of ['hold_2', 'hold_3', 'hold_4', 'hold_6', 'hold_none']) await releaseHold(db, 'buyer_one', id)
    expect([await statuses(), await woken()]).toEqual([before, []])
    await releaseHold(db, 'buyer_one', 'hold_1')
    expect([await statuses(), await woken()]).toEqual([{ ...before, hold_1: 'released' }, ['hold hold_1']])
  })
})

describe('a hold in time', () => {
  it('ends now where its buyer lets time go by, while it is held and not over', async () => {
    await holds(
      ['hold_1', {}],
      ['hold_2', OTHER_BUYER],
      ['hold_3', { status: 'released' }],
      ['hold_4', { expires_at: PAST }],
      ['hold_5', {}],
    )
    const elapsed = ['hold_1', 'hold_2', 'hold_3', 'hold_4'].map((id) => saveElapsedHold(db, 'buyer_one', id))
    expect([await Promise.all(elapsed), await woken()]).toEqual([[true, false, false, false], ['hold hold_1']])
    const over = await db.owner().query('select hold_id from holds where expires_at <= now() order by 1')
    expect(over.rows.map(({ hold_id }) => hold_id)).toEqual(['hold_1', 'hold_4'])
  })

  it('ends when its time, or that of the asking, is over, and no other hold ends with it', async () => {
    const begun = { status: 'asking', created_at: aMinuteAgo(1) }
    await holds(
      ['hold_over', { expires_at: PAST }],
      ['hold_over_2', { expires_at: PAST }],
      ['hold_held', { created_at: LONG_AGO }],
      ['hold_asking', { status: 'asking', created_at: aMinuteAgo(-30) }],
      ['hold_asked', begun],
      ['hold_asked_2', begun],
      ['hold_released', { status: 'released', created_at: LONG_AGO, expires_at: PAST, at_seller: true }],
    )
    expect(await tendHold(db, 'hold_held')).toMatchObject({ due_at: expect.any(String) })
    expect(await tendHold(db, 'hold_asking')).toMatchObject({ due_at: expect.any(String) })
    expect(await tendHold(db, 'hold_over')).toBe('nothing')
    expect(await tendHold(db, 'hold_asked')).toBe('nothing')
    expect(await tendHold(db, 'hold_released')).toBe('tell_seller')
    expect(await statuses()).toEqual({
      ...{ hold_over: 'expired', hold_over_2: 'held', hold_held: 'held', hold_asking: 'asking' },
      ...{ hold_asked: 'released', hold_asked_2: 'asking', hold_released: 'released' },
    })
    const { rows } = await db.owner().query('select hold_id from holds where closed order by 1')
    expect(rows.map(({ hold_id }) => hold_id)).toEqual(['hold_asked', 'hold_over'])
  })

  it('is swept when it should have ended a minute ago and its run is not woken yet', async () => {
    const over = { expires_at: aMinuteAgo(1) }
    await holds(
      ['hold_over', over],
      ['hold_asked', { ...over, status: 'asking' }],
      ['hold_woken', over],
      ['hold_just', { expires_at: aMinuteAgo(-30) }],
      ['hold_expired', { ...over, status: 'expired' }],
    )
    await db.owner().query(`insert into outbox (kind, target) values ('hold', 'hold_woken'), ('order', 'hold_asked')`)
    expect(await sweepHolds(db)).toBe(2)
    expect(await woken()).toEqual(['hold hold_asked', 'order hold_asked', 'hold hold_over', 'hold hold_woken'])
  })

  it('is swept with a thousand at most', async () => {
    await db.owner().query(`insert into holds (hold_id, seller, buyer_entity, status, lines, created_at, expires_at, at_seller)
      select 'hold_' || n, 'seller_one', 'buyer_one', 'held', '[]', now(), now() - interval '1 hour', false from generate_series(1, 1001) n`)
    expect([await sweepHolds(db), await sweepHolds(db)]).toEqual([1_000, 1])
  })

  it('is open until its end is told, for an hour at most', async () => {
    await holds(
      ['hold_1', { closed: true }],
      ['hold_2', { status: 'asking' }],
      ['hold_3', { status: 'released', expires_at: aMinuteAgo(0) }],
      ['hold_4', { status: 'expired', expires_at: aMinuteAgo(0) }],
      ['hold_5', { status: 'expired', closed: true }],
      ['hold_6', { status: 'released', expires_at: LONG_AGO }],
      ['hold_7', { status: 'used', expires_at: aMinuteAgo(0) }],
    )
    const { rows } = await db.owner().query(`select target from (${OPEN_HOLDS}) open order by 1`)
    expect(rows.map(({ target }) => target)).toEqual(['hold_1', 'hold_2', 'hold_3', 'hold_4'])
  })
})

describe('opening a hold', () => {
  const bounds = { perBuyer: 4, perSeller: 2 }
  const key = (name: string, body = 'body') => ({ key: name, body_hash: Buffer.from(body) })
  const open = (more: Partial<Parameters<typeof openHold>[4]> = {}, buyer = 'buyer_one') =>
    openHold(db, buyer, ASK, 'held', { bounds, ...more })

  it('counts the open holds of the buyer, in total and with the seller', async () => {
    const over = { expires_at: PAST }
    await holds(
      ['hold_1', {}],
      ['hold_2', OTHER_BUYER],
      ['hold_3', OTHER_BUYER],
      ['hold_4', OTHER_BUYER],
      ['hold_5', over],
      ['hold_6', { status: 'released' }],
      ['hold_8', OTHER_SELLER],
    )
    expect(await open()).toMatchObject({ hold: { status: 'held' } })
    expect(await open()).toEqual({ bound: 'perSeller' })
    await holds(['hold_7', { ...OTHER_SELLER, status: 'asking' }])
    expect(await open()).toEqual({ bound: 'perBuyer' })
  })

  it('is done one after another for a buyer', async () => {
    const opened = await Promise.all(Array.from({ length: 6 }, () => open()))
    expect(opened.filter((one) => 'hold' in one)).toHaveLength(2)
  })

  it('waits for whoever else opens holds of this buyer', async () => {
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(hashtextextended('holds:buyer_one', 0))`)
      const opening = open()
      await open({}, 'buyer_two')
      await until(async () => (await db.owner().query('select from pg_locks where not granted')).rowCount === 1)
      await client.query('commit')
      expect(await opening).toHaveProperty('hold')
    } finally {
      client.release()
    }
  })

  it('replays by the buyer’s key, which is free again when its request ended without an answer', async () => {
    await open({ key: key('k') })
    expect(await open({ key: key('k') })).toEqual({ used: 'under_way' })
    expect(await findHoldKey(db, 'buyer_one', key('k', 'other'))).toBe('other_body')
    for (const [buyer, name] of [
      ['buyer_two', 'k'],
      ['buyer_one', 'k2'],
    ] as const)
      expect(await findHoldKey(db, buyer, key(name))).toBeUndefined()
    await open({ key: key('k') }, 'buyer_two')
    await open({ key: key('k2') })
    const used = async () =>
      (await db.owner().query('select buyer_entity, key, reply from hold_keys order by 1, 2')).rows.map((row) => Object.values(row).join())
    await answerKey(db, 'buyer_one', 'k', 'the reply')
    expect(await used()).toEqual(['buyer_one,k,the reply', 'buyer_one,k2,', 'buyer_two,k,'])
    await answerKey(db, 'buyer_one', 'k', null)
    expect(await used()).toHaveLength(3)
    await answerKey(db, 'buyer_one', 'k2', null)
    expect(await used()).toEqual(['buyer_one,k,the reply', 'buyer_two,k,'])
    await db.owner().query(`update hold_keys set created_at = now() - interval '61 seconds'`)
    expect(await findHoldKey(db, 'buyer_one', key('k'))).toEqual({ reply: 'the reply' })
    expect(await findHoldKey(db, 'buyer_two', key('k'))).toBeUndefined()
    expect(await open({ key: key('k', 'again') }, 'buyer_two')).toHaveProperty('hold')
    expect(await findHoldKey(db, 'buyer_two', key('k', 'again'))).toBe('under_way')
  })

  it('forgets keys after two days, so many at a time', async () => {
    for (const name of ['a', 'b']) await open({ key: key(name) })
    await open({ key: key('a') }, 'buyer_two')
    await db.owner().query(`update hold_keys set created_at = now() - interval '49 hours' where buyer_entity = 'buyer_one'`)
    await db.owner().query(`update hold_keys set created_at = now() - interval '47 hours' where buyer_entity = 'buyer_two'`)
    expect(await deleteOldHoldKeys(db, 1)).toBe(1)
    expect(await deleteOldHoldKeys(db, 9)).toBe(1)
    expect(await deleteOldHoldKeys(db, 9)).toBe(0)
  })
})
