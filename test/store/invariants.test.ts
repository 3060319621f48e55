import { beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { cancel } from '../../src/domain/order/cancel.ts'
import { decide } from '../../src/domain/order/decide.ts'
import { validate } from '../../src/domain/order/validate.ts'
import { applyCommand } from '../../src/operations/orders/applyCommand.ts'
import { cloneDatabase } from '../support/engines/database.ts'
import { type Acknowledged, checkInvariants, type Violation } from '../support/invariants/invariants.ts'
import { aLine, aMarket, anAgreement, CONTEXT, SELLER } from '../support/orders/anOrder.ts'
import { aNewOrder, command, stored } from '../support/orders/storedOrders.ts'
import { runProgram } from '../support/runProgram.ts'
import { useDatabase } from '../support/useDatabase.ts'

const db = useDatabase()
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: db.url })
  await owner.connect()
  await owner.query('set session_replication_role = replica') // so that triggers do not run: the tests do what they refuse
})
db.beforeStop(() => owner.end())

/** An order with five events, that was placed and canceled. */
async function aLife(locked_rate_id = 'lr_unpublished'): Promise<string> {
  const orderId = await stored(db.log, { lines: [aLine({ rate: { locked_rate_id } })] })
  await applyCommand(db.log, orderId, command(), (order) => validate(order, aMarket(order)))
  await applyCommand(db.log, orderId, command(), (order) => decide(order, { decision: 'approve', actor: 'Sam' }, CONTEXT))
  await applyCommand(db.log, orderId, command(), (order, now) => cancel(order, {}, now))
  return orderId
}

/** A placed order, and a revision of it that waits for its seller. */
async function aFamily(more: Parameters<typeof stored>[1] = {}): Promise<[string, string]> {
  const first = await stored(db.log, more)
  const revision = { version: 9, supersedes: first }
  const second = await stored(db.log, { ...more, revision, intake: { ...more.intake, superseded: { version: 1, family: [] } } })
  for (const orderId of [first, second]) await applyCommand(db.log, orderId, command(), (order) => validate(order, aMarket(order)))
  await applyCommand(db.log, first, command(), (order) => decide(order, { decision: 'approve', actor: 'Sam' }, CONTEXT))
  return [first, second]
}

const invariantsOf = (violations: Violation[], orderId: string | null) =>
  [...new Set(violations.filter(({ order_id }) => order_id === orderId).map(({ invariant }) => invariant))].sort()

/** Changes an order behind the log's back, and tells which invariants that breaks. */
async function brokenBy(tampering: string, orderId?: string): Promise<string[]> {
  const id = orderId ?? (await aLife())
  const { rowCount } = await owner.query(tampering.replaceAll('$1', `'${id}'`))
  expect(rowCount).toBeGreaterThan(0)
  return invariantsOf(await checkInvariants(db.url), id)
}

const bodyOf = (seq: number, from: string, into: string) =>
  `update order_events set body = replace(body, '${from}', '${into}') where order_id = $1 and seq = ${seq} and body like '%${from}%'`
const insertFeed = (tenant: string, seq: number) =>
  `insert into feed (tenant, event_type, status, order_id, seq)
   select ${tenant}, 'order.status_changed', body::json->>'status', order_id, seq from order_events where order_id = $1 and seq = ${seq}`

describe('the checker finds', () => {
  it('nothing wrong with an order that the log wrote', async () => {
    const orderId = await aLife()
    expect(await checkInvariants(db.url)).toEqual([])
    expect((await db.log.load(orderId))?.last_seq).toBe(5)
  })

  it.each<[string, string, string[]]>([
    [
      'a reply that says something else',
      `update order_records set reply = replace(reply, 'submitted', 'placed') where order_id = $1`,
      ['I1', 'I11', 'I13'],
    ],
    ['an order without a request', 'delete from order_records where order_id = $1', ['I2']],
    ['a request and events without an order', 'delete from orders where order_id = $1', ['I2', 'I8']],
    ['an event that others may see', `update order_events set order_seller = 'another' where order_id = $1 and seq = 2`, ['I11', 'I2']],
    ['an event that is gone', 'delete from order_events where order_id = $1 and seq = 3', ['I13', 'I3', 'I5', 'I8']],
    ['a counter that ran ahead', 'update orders set last_seq = 6 where order_id = $1', ['I3', 'I7']],
    ['an event that claims another place', bodyOf(3, '"seq":3', '"seq":7'), ['I11', 'I13', 'I3']],
    ['a command that wrote more than it kept', 'update order_events set ordinal = 2 where order_id = $1 and seq = 3', ['I11', 'I4']],
    ['a command without its outcome', 'delete from order_outcomes where order_id = $1', ['I4']],
    ['a step that is none', bodyOf(3, '"status":"seller_review"', '"status":"rejected"'), ['I11', 'I13', 'I5', 'I8']],
    ['a step from elsewhere', bodyOf(4, '"prior_status":"seller_review"', '"prior_status":"negotiating"'), ['I11', 'I13', 'I5']],
    [
      'a stamp that steps back',
      `update order_events set occurred_at = '2020-01-01',
      body = regexp_replace(body, '"occurred_at":"[^"]*"', '"occurred_at":"2020-01-01T00:00:00.000Z"') where order_id = $1 and seq = 4`,
      ['I11', 'I13', 'I6', 'I7'],
    ],
    ['a stamp beside its body', `update order_events set occurred_at = '2020-01-01' where order_id = $1 and seq = 4`, ['I11', 'I6']],
    [
      'a snapshot that is not the fold',
      `update orders set snapshot_lines = replace(snapshot_lines, '"units":6', '"units":7') where order_id = $1`,
      ['I7'],
    ],
    ['a head that is not the fold', `update orders set status = 'placed' where order_id = $1`, ['I7']],
    ['an event missing from the feed of one side', `delete from feed where order_id = $1 and seq = 2 and tenant = '${SELLER}'`, ['I8']],
    ['an event that is twice in the feed of one side', insertFeed(`'${SELLER}'`, 5), ['I11', 'I8']],
    ['an event in the feed of a stranger', insertFeed(`'buyer_two'`, 5), ['I11', 'I8']],
    [
      'events that come in another order',
      `update feed set position = default where order_id = $1 and seq = 2 and tenant = '${SELLER}'`,
      ['I8'],
    ],
    ['units that do not add up', bodyOf(4, '"num_accepted":6', '"num_accepted":5'), ['I10', 'I11', 'I13', 'I15', 'I7']],
    ['dates that the line does not book', bodyOf(4, '"date":"2026-12-07"', '"date":"2026-12-08"'), ['I10', 'I11', 'I13', 'I7']],
    ['an event that was rewritten as it was', 'update order_events set body = body where order_id = $1 and seq = 2', ['I11']],
    ['a hash that is not that of its event', 'update order_events set hash = sha256(hash) where order_id = $1 and seq = 2', ['I11', 'I13']],
    ['an order that counts at less than it may come to', 'update orders set exposure = exposure - 0.01 where order_id = $1', ['I15']],
    [
      'spots that are not those of the order',
      `insert into booked_orders (order_id, seller, buyer_entity, external_order_id, currency, booked_seq)
       select order_id, seller, buyer_entity, external_order_id, 'USD', 4 from orders where order_id = $1`,
      ['I17'],
    ],
    ['a placing that the head has forgotten', 'update orders set placed_at = null where order_id = $1', ['I7']],
    ['a request that was rewritten as it was', 'update order_records set request = request where order_id = $1', ['I11']],
  ])('%s', async (_, tampering, invariants) => expect(await brokenBy(tampering)).toEqual(invariants))

  it('an order that nothing will ever move', async () => {
    const orderId = await stored(db.log)
    await owner.query('update orders set due_at = null where order_id = $1', [orderId])
    expect(await brokenBy('delete from outbox where target = $1', orderId)).toEqual(['I9'])
  })

  it('two placed orders of one family', async () => {
    const [first, revision] = await aFamily()
    expect(invariantsOf(await checkInvariants(db.url), first)).toEqual([])
    await owner.query(`update orders set status = 'placed' where order_id = $1`, [revision])
    const found = await checkInvariants(db.url)
    expect([invariantsOf(found, first), invariantsOf(found, revision)]).toEqual([['I14'], ['I7']])
  })

  it.each([
    ['is of no family', 'root = null', ['I14']],
    ['is of another family', `root = 'ord_other'`, ['I14']],
    ['has forgotten what it revises', 'supersedes = null', ['I14', 'I7']],
  ])('a revision that %s', async (_, change, invariants) => {
    const [, revision] = await aFamily()
    expect(await brokenBy(`update orders set ${change} where order_id = $1`, revision)).toEqual(invariants)
  })

  it('credit that an agreement has lost or counts twice', async () => {
    const agreement = anAgreement({ settlement_mode: 'cleared', credit_limit: 10_000 })
    await owner.query(
      `insert into agreements (agreement_id, seller, buyer_entity, status, effective, body) values ($1, $2, $3, 'active', '[2026-01-01,2099-12-31]', $4)`,
      [agreement.agreement_id, agreement.seller, agreement.buyer_entity, agreement],
    )
    const [first, revision] = await aFamily({ agreement_id: agreement.agreement_id, intake: { agreements: [agreement] } })
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual([])
    for (const [change, undo] of [
      ['root = order_id', `root = '${first}'`],
      ['drawn = drawn + 1', 'drawn = drawn - 1'],
    ]) {
      await owner.query(`update orders set ${change} where order_id = $1`, [revision])
      expect(invariantsOf(await checkInvariants(db.url), null)).toEqual(['I15'])
      await owner.query(`update orders set ${undo} where order_id = $1`, [revision])
    }
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual([])
    const change = 'insert into credit_changes (agreement_id, seller, buyer_entity, amount) values ($1, $2, $3, 0.01)'
    await owner.query(change, [agreement.agreement_id, agreement.seller, agreement.buyer_entity])
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual(['I15'])
    await owner.query('delete from credit_changes where amount = 0.01')
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual([])
  })

  it('a line at another price than was published', async () => {
    const orderId = await aLife('lr_published')
    const publish = `insert into rate_entries (locked_rate_id, seller, commit, commit_no, product_id, week, market_class, advertiser_class, spot_length,
      buy_type, gross_rate_unit, currency) values ('lr_published', '${SELLER}', 'c', 1, 'prime', '2026-W50', 'scatter', 'general', 30, 'preemptible', 100.01, 'USD')`
    expect(await brokenBy(publish, orderId)).toEqual(['I10'])
  })

  it.each([
    ['alter table feed disable trigger feed_append_only', 'alter table feed enable trigger feed_append_only'],
    [
      'drop trigger notices_never_truncated on notices',
      'create trigger notices_never_truncated before truncate on notices execute function refuse_change()',
    ],
    ['grant update on order_events to marketplace_app', 'revoke update on order_events from marketplace_app'],
  ])('that %s', async (loosen, tighten) => {
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual([])
    await owner.query(loosen)
    expect(invariantsOf(await checkInvariants(db.url), null)).toEqual(['I11'])
    await owner.query(tighten)
  })

  it('a 201 that was not kept', async () => {
    const created = aNewOrder()
    const { facts, request } = created.order
    const acknowledged: Acknowledged = {
      buyer_entity: facts.buyer_entity,
      external_order_id: request.external_order_id,
      order_id: facts.order_id,
    }
    const kept = async (acknowledged: Acknowledged) => invariantsOf(await checkInvariants(db.url, [acknowledged]), acknowledged.order_id)
    expect(await kept(acknowledged)).toEqual(['I1'])
    await db.log.create(created)
    expect(await kept({ ...acknowledged, body: JSON.stringify(request) })).toEqual([])
    expect(await kept({ ...acknowledged, body: 'other bytes' })).toEqual(['I1'])
    expect(await kept({ ...acknowledged, order_id: 'ord_other' })).toEqual(['I1'])
  })
})

describe('the command line', () => {
  const run = (url: string) => runProgram('test/support/invariants/checkInvariants', [url])

  it('says that every invariant holds, or names what is broken and fails', async () => {
    const fresh = await cloneDatabase()
    expect(await run(fresh.url)).toMatchObject({ code: 0, out: 'Every invariant holds.\n' })
    await fresh.drop()
    await brokenBy('update orders set last_seq = 6 where order_id = $1')
    expect(await run(db.url)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^I3 {2}ord_.*last_seq is 6 with 5 events$/m),
    })
  })
})
