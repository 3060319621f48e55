import { beforeAll, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { openTenantDatabase } from '../../../src/store/connection/database.ts'
import { scopeKey } from '../../../src/store/connection/scopeKey.ts'
import { creatingOrders } from '../../../src/store/connection/tenantScope.ts'
import { createOrders, type NewOrder } from '../../../src/store/orders/createOrders.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { countOn, orderOfOthers, useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const api = useApiDatabase(market)
let theirOrder: string
beforeAll(async () => {
  theirOrder = await orderOfOthers(market)
})

describe('a scope that creates orders', () => {
  const eventOf = (orderId: string, seller = 'cable', buyer = 'acme') =>
    `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
      values ('${orderId}', '${seller}', '${buyer}', 99, 'cmd_x', 0, now(), '{}', '')`
  const logOf = (orderId: string) => [
    eventOf(orderId),
    `insert into order_records (order_id, request_sha256, request, facts, reply) values ('${orderId}', '', '{}', '{}', '')`,
    `insert into order_uploads (order_id, upload_id) values ('${orderId}', 'upl_x')`,
  ]
  const outcomeOf = `insert into order_outcomes (order_id, command_id, last_seq, outcome) values ('ord_new', 'cmd_x', 1, '{}')`
  /** Statements one after another in a transaction that is rolled back; returns the code of the first that is refused. */
  const tried = async (pool: pg.Pool, ...texts: string[]) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const text of texts) await client.query(text)
      return 'written'
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const creating = (tenant: string, ...orderIds: string[]) => creatingOrders(api.as([tenant]).pool, orderIds, [])

  it('begins the logs of those orders', async () => {
    const codes = await Promise.all(logOf('ord_new').map((text) => tried(creating('acme', 'ord_old', 'ord_new'), text)))
    expect(codes).toEqual(['written', 'written', '23503']) // there is no such upload
  })

  it('begins no other log, and none of another tenant', async () => {
    for (const orderId of [theirOrder, 'ord_none', '', 'ord_ne', 'ord_new,ord_x'])
      for (const text of logOf(orderId)) expect([text, await tried(creating('acme', 'ord_new'), text)]).toEqual([text, '42501'])
    expect(await tried(creating('acme', 'ord_new'), outcomeOf)).toBe('42501')
    expect(await tried(creating('acme'), eventOf('ord_new'))).toBe('42501')
  })

  it('names the tenant as the buyer of what it begins, and nobody else', async () => {
    const as = (seller: string, buyer: string) => eventOf('ord_new', seller, buyer)
    expect(await tried(creating('acme', 'ord_new'), as('cable', 'acme'))).toBe('written')
    for (const text of [as('cable', 'zenith'), as('acme', 'zenith')])
      expect([text, await tried(creating('acme', 'ord_new'), text)]).toEqual([text, '42501'])
  })

  it('adds to the logs that the tenant already has', async () => {
    expect(await tried(creating('zenith', 'ord_new'), eventOf(theirOrder, 'station', 'zenith'))).toBe('written')
  })

  it('shows nothing of the orders that it names', async () => {
    expect(await countOn(creating('acme', theirOrder), 'orders', `order_id = '${theirOrder}'`)).toBe(0)
    expect(await countOn(creating('acme', theirOrder), 'order_events', `order_id = '${theirOrder}'`)).toBe(0)
  })

  it('ends with its transaction', async () => {
    const one = openTenantDatabase(market.databaseUrl, scopeKey(market.secretsKey), { max: 1 })
    const own = one.as(['acme']).pool
    await creatingOrders(own, ['ord_new'], []).query('select 1')
    expect(await tried(own, eventOf('ord_new'))).toBe('42501')
    await one.close()
  })

  const signed = `current_setting('marketplace.creating')`
  it.each([
    `select set_config('marketplace.creating', '{"ord_forged"}', true)`,
    `set local marketplace.creating = '{"ord_forged"}'`,
    `select set_config('marketplace.creating', left(${signed}, 64) || '{"ord_forged"}', true)`,
    `select set_config('marketplace.creating', left(${signed}, 64) || '{"ord_new","ord_forged"}', true)`,
    `select set_config('marketplace.creating', left(current_setting('marketplace.acting'), 64) || '{"ord_forged"}', true)`,
    `select set_config('marketplace.creating', left(current_setting('marketplace.dealing'), 64) || '{"ord_forged"}', true)`,
    `create function pg_temp.creating_orders() returns text[] language sql as $$ select '{ord_forged}'::text[] $$`,
  ])('cannot be widened: %s', async (attempt) => {
    expect(['42501', '2F003']).toContain(await tried(creating('acme', 'ord_new'), attempt, eventOf('ord_forged')))
  })

  it('belongs only to the tenant that the transaction acts for', async () => {
    const { rows } = await creating('zenith', 'ord_of_zenith').query<{ setting: string }>(`select ${signed} as setting`)
    const replay = `select set_config('marketplace.creating', '${rows[0]?.setting}', true)`
    expect(await tried(api.as(['zenith']).pool, replay, eventOf('ord_of_zenith', 'cable', 'zenith'))).toBe('written')
    for (const tenants of [['acme'], ['acme', 'zenith'], []])
      expect(await tried(api.as(tenants).pool, replay, eventOf('ord_of_zenith', 'cable', 'zenith'))).toBe('42501')
  })

  describe('and is forged', () => {
    const created = async (change: (order: NewOrder) => NewOrder) => {
      const { order, event } = await theirs()
      const changed = change({ order, event, commandId: 'cmd_forged', requestSha256: Buffer.alloc(32), reply: '{}' })
      return createOrders(api.as(['acme']).pool, [changed]).catch(({ code }) => code)
    }
    const theirs = async () => {
      const order = await openOrderLog(market.deps.db, () => undefined).load(theirOrder)
      if (order === undefined) throw new Error('zenith has no order')
      const { rows } = await market.deps.db.pool.query<{ body: string }>(
        `select body from order_events where order_id = '${theirOrder}' and seq = 1`,
      )
      return { order, event: JSON.parse(rows[0]?.body as string) }
    }
    const as = (orderId: string, buyer: string) => (draft: NewOrder) => ({
      ...draft,
      order: {
        ...draft.order,
        facts: { ...draft.order.facts, order_id: orderId, buyer_entity: buyer },
        request: { ...draft.order.request, external_order_id: 'forged' },
      },
    })

    it.each<[string, () => ReturnType<typeof as>, string]>([
      ['an order that another tenant has', () => as(theirOrder, 'acme'), '23505'],
      ['an order that another tenant has, in its name', () => as(theirOrder, 'zenith'), '42501'],
      ['an order in the name of another tenant', () => as('ord_forged', 'zenith'), '42501'],
    ])('writes nothing: %s', async (_, change, code) => {
      const stored = async () => {
        const tables = ['orders', 'order_records', 'order_events', 'order_outcomes', 'feed', 'outbox']
        return Promise.all(tables.map((table) => countOn(market.deps.db.pool, table)))
      }
      const before = await stored()
      expect(await created(change())).toBe(code)
      expect(await stored()).toEqual(before)
    })
  })
})
