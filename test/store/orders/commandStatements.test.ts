import { beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { CreateOrder } from '../../../src/contract/createOrder.ts'
import { cancelOrder } from '../../../src/operations/orders/cancelOrder.ts'
import { createOrder } from '../../../src/operations/orders/createOrder.ts'
import { decideOrder } from '../../../src/operations/orders/decideOrder.ts'
import { respondOrder } from '../../../src/operations/orders/respondOrder.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { counterBody, counterOrder } from '../../support/orders/decisions.ts'
import { anAgreement } from '../../support/orders/published.ts'
import { command } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
market.beforeStop(() => db.close())
let db: ReturnType<typeof openDatabase>
beforeAll(() => {
  db = openDatabase(market.databaseUrl, { process: 'worker', max: 2 })
})

/** The names of the statements that work sends, over whichever connection of `db`: the API of the market has others. */
async function sentBy(work: (log: ReturnType<typeof openOrderLog>) => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [config] = args as unknown as [string | { name?: string; text?: string }]
    if (`${Object(this).connectionParameters?.application_name}`.endsWith('worker'))
      sent.push(typeof config === 'string' ? config : (config.name ?? config.text ?? ''))
    return query.apply(this, args)
  } as typeof query
  try {
    await work(openOrderLog(db, () => undefined))
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

const seller = (log: ReturnType<typeof openOrderLog>, orderId: string, ask: Parameters<typeof decideOrder>[3]['request']) =>
  decideOrder({ log }, orderId, command(), { gate: 'api', request: ask })

describe('a command reads in one statement and writes in one', () => {
  it('as an approve does', async () => {
    const orderId = await market.parked()
    expect(await sentBy((log) => seller(log, orderId, { decision: 'approve', actor: 'Ada' }))).toEqual([
      'load-orders',
      'append-events-alone',
    ])
  })

  it('a counter with its quotes too, and one that replaces it', async () => {
    const orderId = await market.parked()
    for (const unit_cost of [900, 950]) {
      const ask = (await counterBody(market, orderId, { unit_cost })) as Parameters<typeof seller>[2]
      expect(await sentBy((log) => seller(log, orderId, ask))).toEqual(['load-orders-with-terms', 'append-events-alone-quoting'])
    }
    const { rows } = await market.owner().query('select reason from ended_quotes')
    expect(rows).toEqual([{ reason: 'replaced' }])
  })

  it('and what ends quotes', async () => {
    const [withdrawn, canceled] = [await market.parked(), await market.parked()]
    for (const orderId of [withdrawn, canceled]) expect((await counterOrder(market, orderId, { unit_cost: 900 })).status).toBe(202)
    const withdraw = (log: ReturnType<typeof openOrderLog>) => respondOrder({ log }, withdrawn, command(), { action: 'withdraw' }, 'api')
    const cancel = (log: ReturnType<typeof openOrderLog>) => cancelOrder({ log }, canceled, command(), {})
    for (const act of [withdraw, cancel]) expect(await sentBy(act)).toEqual(['load-orders', 'append-events-alone-quoting'])
  })
})

describe('a command under the lock', () => {
  const placing = ['begin', 'lock-family', 'load-orders', 'read-family', 'lock-members', 'load-orders']

  it('loads and locks the placed order of the family that it ends, and nothing else', async () => {
    const first = await market.placed()
    const second = await market.parked({ revision: { supersedes: first } })
    expect(await sentBy((log) => seller(log, second, { decision: 'approve', actor: 'Ada' }))).toEqual([
      ...['load-orders', 'append-events-alone', ...placing],
      ...['append-events', 'append-events', 'commit'],
    ])
  })

  it('loads no member of a family of which no order was placed', async () => {
    const first = await market.parked()
    await market.parked({ revision: { supersedes: first } })
    expect(await sentBy((log) => seller(log, first, { decision: 'approve', actor: 'Ada' }))).toEqual([
      ...['load-orders', 'append-events-alone', 'begin', 'lock-family', 'load-orders', 'read-family', 'append-events', 'commit'],
    ])
  })

  it('ends an order whose revision was placed, and is then refused', async () => {
    const first = await market.parked()
    const second = await market.parked({ revision: { supersedes: first } })
    await seller(market.deps.orders, second, { decision: 'approve', actor: 'Ada' })
    const refused = expect.objectContaining({ code: 'INVALID_STATE', details: { status: 'canceled', last_seq: 4 } })
    const approve = (log: ReturnType<typeof openOrderLog>) =>
      expect(seller(log, first, { decision: 'approve', actor: 'Ada' })).rejects.toEqual(refused)
    expect(await sentBy(approve)).toEqual([
      ...['load-orders', 'append-events-alone', ...placing],
      ...['append-events', 'commit', 'load-orders'],
    ])
  })
})

describe('a create reads in one statement and writes in one', () => {
  const create = (body: object) => sentBy((log) => createOrder(log, db, 'acme', CreateOrder.parse(body), Buffer.from(JSON.stringify(body))))

  it('of no table that only other orders name', async () => {
    expect(await create(market.order())).toEqual(['read-intake-of-lines', 'create-orders'])
  })

  it('under the locks of what it depends on, where that is a credit or the order that it revises', async () => {
    const terms = anAgreement({ settlement_mode: 'cleared', credit_limit: 1_000_000 })
    expect((await market.cable.put('/me/agreements/agr-cleared', terms)).status).toBe(201)
    const onCredit = { agreement_id: 'agr-cleared' }
    const credit = ['stored-reply', 'read-credit']
    expect(await create(market.order(onCredit))).toEqual([
      ...['read-intake-of-lines', 'begin', 'lock-order', ...credit, 'create-orders', 'commit'],
    ])
    const revision = { revision: { supersedes: await market.parked(onCredit) } }
    expect(await create(market.order({ ...onCredit, ...revision }))).toEqual([
      ...['read-intake', 'begin', 'lock-family', 'lock-order', 'read-family', ...credit, 'create-orders-using', 'begin-family', 'commit'],
    ])
  })

  it('also where it names more', async () => {
    const month = market.order({ line_items: [market.line({ period: { grain: 'month', start: '2030-06' } })] })
    expect(await create(month)).toEqual(['read-intake', 'create-orders'])
  })
})
