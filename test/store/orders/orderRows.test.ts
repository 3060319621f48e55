import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Command } from '../../../src/store/orders/command.ts'
import { saveElapsed } from '../../../src/store/orders/elapsed.ts'
import { lastTraceparent } from '../../../src/store/orders/eventTraces.ts'
import { beginFamily, familyLock, lockMembers, readFamily } from '../../../src/store/orders/families.ts'
import { loadOrders } from '../../../src/store/orders/loadOrders.ts'
import { readAudit } from '../../../src/store/orders/orderAudit.ts'
import { countOrders } from '../../../src/store/orders/orderCounts.ts'
import type { OrderFilter } from '../../../src/store/orders/orderFilter.ts'
import { awaitHumanDecision, closeHead, statusesBetween } from '../../../src/store/orders/orderHead.ts'
import { listOrders } from '../../../src/store/orders/orderLists.ts'
import { replayEvents } from '../../../src/store/orders/orderReads.ts'
import { claimOutbox, OPEN_ORDERS, sweepDue } from '../../../src/store/orders/outbox.ts'
import { readToClose } from '../../../src/store/orders/readToClose.ts'
import { noteRemoteRequest, readRemoteRequest } from '../../../src/store/orders/remoteAsks.ts'
import { readReply } from '../../../src/store/orders/storedReply.ts'
import { wakeOpenOrders } from '../../../src/store/orders/wakeOpenOrders.ts'
import { searchOrders, searchParties, searchProducts } from '../../../src/store/search/search.ts'
import {
  anAgreementRow,
  anOrderRow,
  aPriceRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  BUYER,
  insertRows,
  minutesAgo,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
  SELLER,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { command, negotiating, round } from '../../support/orders/storedOrders.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const NOW = new Date().toISOString()
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const ofOrders = async (where: string) =>
  (await rows(`select order_id from orders where ${where} order by 1`)).map(({ order_id }) => order_id)
const woken = async () => (await rows(`select target from outbox where kind = 'order' order by 1`)).map(({ target }) => target)
const orders = (...made: Parameters<typeof anOrderRow>[]) =>
  insertRows(
    db.owner(),
    made.map((row) => anOrderRow(...row)),
  )
const event = (order_id: string, seq: number, more: object = {}) =>
  [
    'order_events',
    {
      ...{ order_id, seq, command_id: `c${seq}`, ordinal: 0, occurred_at: PAST, body: `{"status":"s${seq}"}`, hash: Buffer.from([seq]) },
      ...{ order_seller: 'seller_one', order_buyer: 'buyer_one', ...more },
    },
  ] as const
const record = (order_id: string, more: object = {}) =>
  [
    'order_records',
    { order_id, request_sha256: Buffer.from('x'), request: '{}', facts: '{}', reply: `reply of ${order_id}`, ...more },
  ] as const

beforeAll(() =>
  insertRows(db.owner(), [aTenantRow('seller_one', 'seller'), aSellerRowOf('seller_one', { profile: '{"approval":"rules"}' })]),
)
beforeEach(async () => {
  await db.owner().query(`set session_replication_role = replica; delete from orders; delete from order_events; delete from order_records;
    delete from order_outcomes; delete from outbox; delete from remote_asks; delete from agreements; set session_replication_role = origin`)
})

describe('a list of orders by filters', () => {
  const list = async (filter: Partial<OrderFilter>, reader: typeof BUYER | typeof SELLER = BUYER) =>
    (await listOrders(db, reader, { limit: 50, ...filter } as OrderFilter, NOW)).orders.map((text) => JSON.parse(text).order_id)
  const plain = { advertiser_id: 'adv', first_air_date: '2030-06-05', decide_by: SOON, updated_at: '2030-01-02T00:00:00Z' }
  beforeEach(() =>
    orders(
      ['ord_1', plain],
      ['ord_2', { ...plain, status: 'placed' }],
      ['ord_3', { ...plain, ...OTHER_SELLER }],
      ['ord_4', { ...plain, ...OTHER_BUYER, external_order_id: 'the key' }],
      ['ord_5', { ...plain, advertiser_id: 'other' }],
      ['ord_6', { ...plain, workflow: 'proposal' }],
      ['ord_7', { ...plain, status: 'negotiating' }],
      ['ord_8', { ...plain, decide_by: PAST }],
      ['ord_9', { ...plain, first_air_date: '2030-06-04', external_order_id: 'the key' }],
      ['ord_a', { ...plain, first_air_date: '2030-06-06', updated_at: '2030-01-03T00:00:00Z' }],
      ['ord_b', { ...plain, external_order_id: 'ord_1 too' }],
      ['ord_c', { ...plain, ...OTHER_SELLER, buyer_entity: 'buyer_three', external_order_id: 'the key' }],
    ),
  )
  const own = ['ord_1', 'ord_2', 'ord_3', 'ord_5', 'ord_6', 'ord_7', 'ord_8', 'ord_9', 'ord_a', 'ord_b']
  const but = (...ids: string[]) => own.filter((id) => !ids.includes(id)).reverse()

  it.each<[string, Partial<OrderFilter>, string[]]>([
    ['none', {}, but()],
    ['an advertiser', { advertiser_id: 'adv' }, but('ord_5')],
    ['a workflow', { workflow: ['proposal'] }, ['ord_6']],
    ['two workflows', { workflow: ['proposal', 'catalog'] }, but()],
    ['a status among others', { workflow: ['catalog'], status: ['negotiating', 'placed'] }, ['ord_7', 'ord_2']],
    ['a seller', { advertiser_id: 'adv', seller: 'seller_two' }, ['ord_3']],
    ['a seller alone among others', { seller: 'seller_two', workflow: ['catalog'] }, ['ord_3']],
    ['a key', { external_order_id: 'the key', workflow: ['catalog'] }, ['ord_9']],
    ['a key alone', { external_order_id: 'the key' }, ['ord_9']],
    ['whom it waits for', { waiting_on: 'buyer' }, ['ord_7']],
    ['whom it waits for, the seller', { waiting_on: 'seller' }, but('ord_2', 'ord_7')],
    ['what is overdue', { overdue: true }, ['ord_8']],
    ['what is not', { overdue: false }, but('ord_8')],
    ['the first air date', { air_from: '2030-06-05', air_to: '2030-06-05' }, but('ord_9', 'ord_a')],
    ['an air date on', { air_from: '2030-06-06' }, ['ord_a']],
    ['an air date until', { air_to: '2030-06-04' }, ['ord_9']],
    ['changes since', { updated_since: '2030-01-03T00:00:00Z' }, ['ord_a']],
    ['the start of an id or key', { q: 'ord_1' }, ['ord_b', 'ord_1']],
    ['a place', { after: ['ord_5'], workflow: ['catalog'] }, ['ord_3', 'ord_2', 'ord_1']],
    ['a place alone', { after: ['ord_5'] }, ['ord_3', 'ord_2', 'ord_1']],
    ['a status alone', { status: ['negotiating'] }, ['ord_7']],
    ['statuses alone', { status: ['negotiating', 'placed'] }, ['ord_7', 'ord_2']],
    ['a status and a seller', { status: ['seller_review'], seller: 'seller_two' }, ['ord_3']],
  ])('%s', async (_, filter, expected) => {
    expect(await list(filter)).toEqual(expected)
    expect(await list({ ...filter, limit: 1 })).toEqual(expected.slice(0, 1))
  })

  it('is a seller’s own too, by buyer and as its queue', async () => {
    expect(await list({ buyer: 'buyer_two' }, SELLER)).toEqual(['ord_4'])
    expect(await list({ buyer: 'buyer_one', advertiser_id: 'other' }, SELLER)).toEqual(['ord_5'])
    const queue = ['ord_8', 'ord_1', 'ord_4', 'ord_5', 'ord_6', 'ord_9', 'ord_a', 'ord_b']
    expect(await list({ status: ['seller_review'] }, SELLER)).toEqual(queue)
    expect(await list({ status: ['seller_review'], workflow: ['catalog', 'proposal'] }, SELLER)).toEqual(queue)
    expect(await list({ status: ['seller_review'], after: [SOON, 'ord_6'] }, SELLER)).toEqual(['ord_9', 'ord_a', 'ord_b'])
    expect(await list({ status: ['seller_review'], external_order_id: 'the key' }, SELLER)).toEqual(['ord_4', 'ord_9'])
    expect(await list({ status: ['seller_review'], seller: 'seller_two' }, SELLER)).toEqual([])
  })

  it('is counted by status and by whom open orders wait for', async () => {
    expect(await countOrders(db, BUYER, NOW)).toMatchObject({
      status: { seller_review: 8, negotiating: 1, submitted: 0 },
      waiting_on: { buyer: 1, seller: 8, platform: 0 },
      overdue: 1,
    })
    expect(await countOrders(db, SELLER, NOW)).toMatchObject({ status: { seller_review: 8 }, overdue: 1 })
  })

  it('has the words of a search in its newest orders', async () => {
    const find = async (q: string) =>
      (await searchOrders(db, 'buyer', { entity: 'buyer_one', q, words: [q] })).found.map(({ order_id }) => order_id)
    expect(await find('ord_4')).toEqual([])
    expect(await find('ord_5')).toEqual(['ord_5'])
    expect(await find('line_items')).toEqual(but())
    expect((await searchOrders(db, 'seller', { entity: 'seller_two', q: '', words: ['ord'] })).found).toHaveLength(2)
  })
})

describe('a search', () => {
  beforeAll(() =>
    insertRows(db.owner(), [
      aTenantRow('seller_two', 'seller'),
      aSellerRowOf('seller_two', { unpublished_commit_nos: [7] }),
      aProductRow('b', { body: { title: 'News' } }),
      aProductRow('a', { body: { title: 'news' } }),
      aProductRow('minted', { minted_for: 'buyer_one', body: { title: 'news' } }),
      aProductRow('theirs', { minted_for: 'buyer_two', body: { title: 'news' } }),
      aProductRow('over', { body: { title: 'news', effective: { end: '2020-01-01' } } }),
      aProductRow('sport', { body: { title: 'sport' } }),
      aProductRow('hidden', { ...OTHER_SELLER, added_by: 7, body: { title: 'news' } }),
      aProductRow('far', { ...OTHER_SELLER, body: { title: 'news' } }),
    ]),
  )
  it('finds the products that a tenant sees, by seller and id', async () => {
    const find = async (side: 'buyer' | 'seller', entity: string) =>
      (await searchProducts(db, side, { entity, q: 'news', words: ['news'] }, '2030-01-01')).map(({ body }) => body.product_id)
    expect(await find('buyer', 'buyer_one')).toEqual(['a', 'b', 'minted', 'far'])
    expect(await find('seller', 'seller_one')).toEqual(['a', 'b', 'minted', 'over', 'theirs'])
  })

  it('finds sellers, and the buyers that a seller knows', async () => {
    await insertRows(db.owner(), [anAgreementRow('agr_1'), anAgreementRow('agr_2', { ...OTHER_SELLER, buyer_entity: 'buyer_nine' })])
    await orders(['ord_1', OTHER_BUYER], ['ord_2', { ...OTHER_SELLER, buyer_entity: 'buyer_eight' }])
    const find = async (side: 'buyer' | 'seller', word: string) =>
      (await searchParties(db, side, { entity: 'seller_one', q: word, words: [word] })).map(({ entity }) => entity)
    expect(await find('seller', 'buyer')).toEqual(['buyer_one', 'buyer_two'])
    expect(await find('seller', 'two')).toEqual(['buyer_two'])
    expect(await find('buyer', 'seller')).toEqual(['seller_one', 'seller_two'])
    expect(await find('buyer', 'one')).toEqual(['seller_one'])
  })
})

describe('what is read of one order', () => {
  beforeEach(async () => {
    await orders(['ord_1', { last_seq: 3, external_order_id: 'key' }], ['ord_2', { ...OTHER_BUYER, external_order_id: 'key', last_seq: 9 }])
    await insertRows(db.owner(), [
      record('ord_1'),
      record('ord_2'),
      event('ord_1', 2),
      event('ord_1', 1),
      event('ord_1', 3),
      event('ord_2', 4),
    ])
  })

  it('is its reply by its buyer’s key', async () => {
    const reply = async (buyer: string, key: string) => (await readReply(db.pool, buyer, key))?.reply
    expect([await reply('buyer_one', 'key'), await reply('buyer_two', 'key')]).toEqual(['reply of ord_1', 'reply of ord_2'])
    expect([await reply('buyer_three', 'key'), await reply('buyer_one', 'other')]).toEqual([undefined, undefined])
  })

  it('is the statuses between two seqs, in their order', async () => {
    expect([await statusesBetween(db, 'ord_1', 0, 4), await statusesBetween(db, 'ord_1', 1, 3)]).toEqual([['s1', 's2', 's3'], ['s2']])
  })

  it('is its events by page, and its audit bundle, for its parties alone', async () => {
    const replay = async (afterSeq: number, limit: number) =>
      JSON.parse((await replayEvents(db, BUYER, { orderId: 'ord_1', afterSeq, limit }))?.events ?? '[]').map(
        ({ status }: { status: string }) => status,
      )
    expect([await replay(0, 9), await replay(1, 1)]).toEqual([['s1', 's2', 's3'], ['s2']])
    const audit = await readAudit(db, BUYER, 'ord_1', 0)
    expect(audit).toMatchObject({ last_seq: 3, head_hash: '03', record: { reply: 'reply of ord_1' }, next_after_seq: null })
    expect(audit?.events.map(({ seq, hash }) => `${seq} ${hash}`)).toEqual(['1 01', '2 02', '3 03'])
    const later = await readAudit(db, SELLER, 'ord_1', 1)
    expect(later?.events).toMatchObject([
      { seq: 2, prev_hash: '01' },
      { seq: 3, prev_hash: '02' },
    ])
    expect(later).not.toHaveProperty('record')
    for (const stranger of [
      { ...BUYER, entity: 'buyer_two' },
      { ...SELLER, entity: 'buyer_one' },
    ])
      expect(await readAudit(db, stranger, 'ord_1', 0)).toBeUndefined()
  })

  it('is the newest answer to a command or its repeat', async () => {
    const outcome = (order_id: string, command_id: string, last_seq: number, more: object = {}) =>
      ['order_outcomes', { order_id, command_id, last_seq, outcome: `${order_id} ${command_id}`, ...more }] as const
    const facts = { request: '{"line_items":[]}', facts: '{}' }
    await db
      .owner()
      .query(
        `set session_replication_role = replica; delete from order_records; delete from order_events; set session_replication_role = origin`,
      )
    await insertRows(db.owner(), [
      record('ord_1', facts),
      record('ord_2', facts),
      outcome('ord_1', 'c1', 2),
      outcome('ord_1', 'c2', 4, { repeat_key: 'k' }),
      outcome('ord_1', 'c3', 3, { repeat_key: 'k' }),
      outcome('ord_1', 'c4', 5),
      outcome('ord_2', 'c1', 9, { repeat_key: 'k' }),
    ])
    const stored = async (command: Partial<Command>) => {
      const [found] = await loadOrders(db.pool, [{ orderId: 'ord_1', command: { wake: false, id: () => '', ...command } }])
      return found?.stored?.text
    }
    expect([await stored({ id: 'c1' }), await stored({ repeatKey: 'k' }), await stored({ id: 'none' }), await stored({})]).toEqual([
      ...['ord_1 c1', 'ord_1 c2', undefined, undefined],
    ])
    expect((await loadOrders(db.pool, [{ orderId: 'ord_1' }]))[0]?.approval).toBe('rules')
  })
})

describe('the terms of counters on an order', () => {
  const line = (product_id: string, locked_rate_id: string, in_response_to?: string) => ({
    product_id,
    rate: { locked_rate_id },
    in_response_to,
  })
  const terms = async (orderId: string) => {
    const [found] = await loadOrders(db.pool, [{ orderId, command: { wake: false, id: 'none', reads: 'terms' } }])
    const { quote_ttl_minutes, products = [], cited = [] } = found?.terms ?? {}
    const read = [products.map((product) => (product as unknown as { row: string }).row), cited.map(({ locked_rate_id }) => locked_rate_id)]
    return [quote_ttl_minutes, ...read.map((list) => list.sort().join())]
  }

  const ITS_SELLER = { seller: 'seller_terms' }
  it('are the seller’s products and prices that its asks cite', async () => {
    const lines = [line('t', 'lr_t'), line('t', 'lr_far'), line('hidden', 'lr_t'), line('answer', 'lr_answer', 'unit_1')]
    await orders(
      ['ord_1', { ...ITS_SELLER, snapshot_lines: `,"line_items":${JSON.stringify(lines)}` }],
      ['ord_2', { seller: 'seller_three', snapshot_lines: ',"line_items":[]' }],
    )
    await insertRows(db.owner(), [
      ...['ord_1', 'ord_2'].map((id) => record(id, { request: '{"line_items":[]}' })),
      aSellerRowOf('seller_terms', { unpublished_commit_nos: [7], profile: '{"quote_ttl_minutes":5}' }),
      aSellerRowOf('seller_three', { profile: '{"quote_ttl_minutes":7}' }),
      ...['t', 'answer', 'uncited'].map((id) => aProductRow(id, ITS_SELLER)),
      aProductRow('t', { seller: 'seller_three' }),
      aProductRow('hidden', { ...ITS_SELLER, added_by: 7 }),
      ...['lr_t', 'lr_answer', 'lr_uncited'].map((id) => aPriceRow(id, ITS_SELLER)),
      aPriceRow('lr_far'),
    ])
    await db
      .owner()
      .query(`update sellers set unpublished_commit_nos = '{7}', profile = '{"quote_ttl_minutes":5}' where seller = 'seller_terms'`)
    expect(await terms('ord_1')).toEqual([5, 'tseller_terms', 'lr_t'])
    expect(await terms('ord_2')).toEqual([7, '', ''])
  })
})

describe('whether a seller’s API is asked for the availability of an order', () => {
  it.each([
    ['it says that it is live and where', '{"realtime_availability":true,"transports":{"pull":{}}}', true],
    ['it is not live', '{"realtime_availability":false,"transports":{"pull":{}}}', false],
    ['it says nowhere', '{"realtime_availability":true,"transports":{}}', false],
    ['it says nothing', '{}', false],
  ])('where %s', async (_, profile, expected) => {
    await orders(['ord_1', { seller: 'seller_live' }])
    await db.owner().query(`delete from sellers where seller = 'seller_live'`)
    await insertRows(db.owner(), [record('ord_1', { request: '{"line_items":[]}' }), aSellerRowOf('seller_live', { profile })])
    const [found] = await loadOrders(db.pool, [{ orderId: 'ord_1', command: { wake: false, id: 'none', reads: 'market' } }])
    expect(found?.market?.asks_seller).toBe(expected)
  })
})

describe('the head of an order', () => {
  it('closes where it has ended and was not moved', async () => {
    const ended = { status: 'canceled', last_seq: 2, due_at: PAST }
    await orders(['ord_1', ended], ['ord_2', ended], ['ord_3', { ...ended, status: 'seller_review' }])
    await closeHead(db, 'ord_1', 1)
    await closeHead(db, 'ord_3', 2)
    expect(await ofOrders('closed')).toEqual([])
    expect(await closeHead(db, 'ord_1', 2)).toMatchObject({ closed: true, due_at: null })
    expect(await ofOrders('closed')).toEqual(['ord_1'])
    expect((await rows(`select target from (${OPEN_ORDERS}) open order by 1`)).map(({ target }) => target)).toEqual(['ord_2', 'ord_3'])
  })

  it('keeps its gate until an append names another', async () => {
    const orderId = await negotiating(db.log)
    const gates: (string | null)[] = []
    for (const gate_due of ['rules', undefined, null, undefined] as const) {
      await db.log.exclusively(orderId, async ({ order, append }) => {
        const sealed = stampEvents(order, round().events, new Date().toISOString())
        await append({ ...sealed, gate_due, command: command(), outcome: '{}' })
      })
      gates.push((await rows(`select gate_due from orders where order_id = '${orderId}'`))[0].gate_due)
    }
    expect(gates).toEqual(['rules', 'rules', null, null])
  })

  it('moves from where it was read alone, and leaves a row to its run if it must be woken', async () => {
    const orderId = await negotiating(db.log)
    await db.owner().query('delete from outbox')
    const stale = await db.log.open(orderId, 'optimistic')
    await applyCommand(db.log, orderId, command(), round)
    expect(await woken()).toEqual([])
    const sealed = stampEvents(stale.order, round().events, new Date().toISOString())
    expect(await stale.append({ ...sealed, gate_due: undefined, command: command(), outcome: '{}' })).toEqual({ kind: 'moved' })
    await applyCommand(db.log, orderId, command({ wake: true }), round)
    expect(await woken()).toEqual([orderId])
  })

  it('has a clock of its own that goes on from where it was read alone', async () => {
    const [orderId, other] = [await negotiating(db.log), await negotiating(db.log)]
    const order = await db.log.load(orderId)
    if (order === undefined) throw new Error('there is no order')
    expect([await saveElapsed(db, order, 60), await saveElapsed(db, order, 90)]).toEqual([true, false])
    expect(await saveElapsed(db, { ...order, elapsed_s: 60, last_seq: order.last_seq - 1 }, 90)).toBe(false)
    expect(await rows('select order_id, elapsed_s from orders order by 2')).toEqual([
      { order_id: other, elapsed_s: 0 },
      { order_id: orderId, elapsed_s: 60 },
    ])
    await db.owner().query('update orders set due_at = null')
    expect(await saveElapsed(db, { ...order, elapsed_s: 60 }, 90)).toBe(true)
    expect(await ofOrders('due_at is not null')).toEqual([])
  })

  it('goes on in the trace of its newest event', async () => {
    await insertRows(db.owner(), [
      ...[event('ord_1', 3), event('ord_1', 2, { traceparent: 'b' }), event('ord_1', 1, { traceparent: 'a' })],
      ...[event('ord_2', 2, { traceparent: 'd' }), event('ord_2', 1, { traceparent: 'c' })],
    ])
    expect(await Promise.all(['ord_1', 'ord_2', 'ord_none'].map((id) => lastTraceparent(db.pool, id)))).toEqual([null, 'd', null])
  })

  it('leaves its gate to people where it was not moved', async () => {
    await orders(['ord_1', { gate_due: 'rules' }], ['ord_2', { gate_due: 'rules' }], ['ord_3'])
    await awaitHumanDecision(db, 'ord_1', 9)
    expect(await ofOrders('gate_due is null')).toEqual(['ord_3'])
    await awaitHumanDecision(db, 'ord_1', 1, { id: 'r', then: 'hold' })
    await awaitHumanDecision(db, 'ord_3', 1, { id: 'r', then: 'hold' })
    expect(await ofOrders('gate_due is null')).toEqual(['ord_1', 'ord_3'])
    expect(await rows('select sum(held)::int as held from approval_rule_days')).toEqual([{ held: 1 }])
  })

  it('is read with the work of its closing', async () => {
    await insertRows(db.owner(), [anAgreementRow('agr_1', { body: '{"edi":{"to":"x"}}' }), anAgreementRow('agr_2')])
    const placed = { placed_at: PAST, status: 'placed' }
    await orders(
      ['ord_1', { ...placed, agreement_id: 'agr_1', root: 'ord_1', invoice_due_at: PAST }],
      ['ord_2', { agreement_id: 'agr_1', invoice_due_at: SOON }],
      ['ord_3', { ...placed, agreement_id: 'agr_2' }],
    )
    const read = async (id: string) => {
      const { was_placed, has_family, has_mail, is_invoice_due } = await readToClose(db, id)
      return [was_placed, has_family, has_mail, is_invoice_due].map(Number).join('')
    }
    expect(await Promise.all(['ord_1', 'ord_2', 'ord_3'].map(read))).toEqual(['1111', '0000', '1000'])
  })
})

describe('asking a seller’s API about an order', () => {
  const none = { accepted: false, asks: 0, unreachable: 0 }
  it('goes on while it waits at that gate, and wakes its run when the reason changes', async () => {
    const waits = { gate_due: 'pull' }
    await orders(['ord_1', waits], ['ord_2', waits], ['ord_3', { gate_due: 'rules' }], ['ord_4', { ...waits, status: 'placed' }], ['ord_5'])
    expect(await readRemoteRequest(db, 'ord_1')).toMatchObject({ seller: 'seller_one', buyer: 'buyer_one', waits: true, ...none })
    const found = await Promise.all(['ord_3', 'ord_4', 'ord_5'].map((id) => readRemoteRequest(db, id)))
    expect(found.map((one) => one?.waits)).toEqual([false, false, false])
    for (const id of ['ord_1', 'ord_3', 'ord_4'])
      await noteRemoteRequest(db, id, { accepted: true, asks: 2, unreachable: 1 }, 'unreachable')
    expect([await ofOrders('stuck_reason is not null'), await woken()]).toEqual([['ord_1'], ['ord_1']])
    await noteRemoteRequest(db, 'ord_1', { accepted: true, asks: 3, unreachable: 0 }, 'unreachable')
    expect(await woken()).toEqual(['ord_1'])
    expect(await readRemoteRequest(db, 'ord_1')).toMatchObject({ accepted: true, asks: 3, unreachable: 0 })
    expect(await readRemoteRequest(db, 'ord_2')).toMatchObject(none)
  })
})

describe('a family of orders', () => {
  beforeEach(() =>
    orders(
      ['ord_1', { root: 'ord_1', status: 'placed', placed_at: PAST }],
      ['ord_2', { root: 'ord_1', supersedes: 'ord_1', status: 'canceled' }],
      ['ord_3', { root: 'ord_3' }],
      ['ord_4'],
      ['ord_5'],
    ),
  )
  it('is read by any of its orders, and begins once', async () => {
    const members = async (id: string) => (await readFamily(db.pool, id))?.map(({ order_id }) => order_id).sort()
    expect([await members('ord_2'), await members('ord_3'), await members('ord_4')]).toEqual([['ord_1', 'ord_2'], ['ord_3'], undefined])
    const family = await readFamily(db.pool, 'ord_1')
    expect(family?.map(({ canceled_at }) => canceled_at !== null).sort()).toEqual([false, true])
    const client = await db.pool.connect()
    await beginFamily(client, 'ord_4')
    await beginFamily(client, 'ord_2')
    client.release()
    expect(await rows('select order_id, root from orders order by 1')).toMatchObject([
      { root: 'ord_1' },
      { root: 'ord_1' },
      { root: 'ord_3' },
      { root: 'ord_4' },
      { root: null },
    ])
  })

  it('is locked by its first order, with the order and the members that change', async () => {
    const holder = await db.pool.connect()
    const isFree = async (id: string) =>
      (await db.owner().query('select pg_try_advisory_lock(hashtextextended($1, 0)) as free', [id])).rows[0].free as boolean
    const free = async (...ids: string[]) => {
      const found = []
      for (const id of ids) found.push(await isFree(id))
      await db.owner().query('select pg_advisory_unlock_all()')
      return found
    }
    try {
      await holder.query('begin')
      await holder.query(familyLock('ord_2'))
      expect(await free('ord_1', 'ord_2', 'ord_3')).toEqual([false, false, true])
      await lockMembers(holder, ['ord_3', 'ord_4'])
      expect(await free('ord_3', 'ord_4')).toEqual([false, false])
      await holder.query('rollback')
      await holder.query('begin')
      await holder.query(familyLock('ord_4'))
      expect(await free('ord_4', 'ord_1')).toEqual([false, true])
      await holder.query('rollback')
    } finally {
      holder.release()
    }
  })
})

describe('the outbox', () => {
  it('is claimed by age, each row by one, and an order’s row with its head', async () => {
    await orders(['ord_1'], ['ord_2'])
    const row = (target: string, minutes: number, more: object = {}) =>
      ['outbox', { kind: 'order', target, claimable_at: minutesAgo(minutes), ...more }] as const
    await insertRows(db.owner(), [
      row('ord_2', 1),
      row('ord_1', 2),
      row('ord_2', 1, { kind: 'mail' }),
      row('ord_1', -9),
      row('ord_none', 0.5),
    ])
    const holder = await db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query(`select from outbox where target = 'ord_none' for update`)
      expect((await claimOutbox(db.pool, 1)).map(({ target }) => target)).toEqual(['ord_1'])
      const rest = await claimOutbox(db.pool, 9)
      expect(rest.map(({ kind, target, head }) => [kind, target, head?.order_id])).toEqual([
        ['order', 'ord_2', 'ord_2'],
        ['mail', 'ord_2', undefined],
      ])
      await holder.query('rollback')
    } finally {
      holder.release()
    }
  })

  it('gets a row for each order that should have moved a minute ago, the longest due first, that nobody holds', async () => {
    const due = (minutes: number, more: object = {}) => ({ due_at: minutesAgo(minutes), updated_at: PAST, ...more })
    await orders(
      ['ord_1', due(2)],
      ['ord_2', due(3)],
      ['ord_3', due(4)],
      ['ord_4', due(0.5)],
      ['ord_5', due(5, { closed: true })],
      ['ord_6', due(6)],
    )
    await db.owner().query(`insert into outbox (kind, target) values ('order', 'ord_6'), ('mail', 'ord_2')`)
    const holder = await db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query(`select from orders where order_id = 'ord_3' for update`)
      expect([await sweepDue(db.pool, 1), await woken()]).toEqual([1, ['ord_2', 'ord_6']])
      expect([await sweepDue(db.pool), await woken()]).toEqual([1, ['ord_1', 'ord_2', 'ord_6']])
      await holder.query('rollback')
    } finally {
      holder.release()
    }
    await until(async () => (await sweepDue(db.pool)) === 1)
    expect(await ofOrders(`due_at between now() + interval '50 minutes' and now() + interval '70 minutes'`)).toEqual([
      'ord_1',
      'ord_2',
      'ord_3',
    ])
  })

  it('postpones the next look by the time since the order moved, between a minute and a day', async () => {
    const due = { due_at: minutesAgo(9) }
    await orders(['ord_1', { ...due, updated_at: minutesAgo(0) }], ['ord_2', { ...due, updated_at: minutesAgo(3_000) }])
    await sweepDue(db.pool)
    expect(await ofOrders(`due_at between now() + interval '55 s' and now() + interval '61 s'`)).toEqual(['ord_1'])
    expect(await ofOrders(`due_at between now() + interval '23 hours' and now() + interval '24 hours'`)).toEqual(['ord_2'])
  })

  it('gets every open order that has no row, none that is closed', async () => {
    await orders(['ord_1'], ['ord_2', { closed: true }], ['ord_3'])
    await db.owner().query(`insert into outbox (kind, target) values ('order', 'ord_3'), ('mail', 'ord_1')`)
    expect([await wakeOpenOrders(db.url), await woken()]).toEqual([2, ['ord_1', 'ord_3']])
  })
})
