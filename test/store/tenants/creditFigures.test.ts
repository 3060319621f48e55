import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type pg from 'pg'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { readExposure, recountCredit } from '../../../src/store/tenants/credit.ts'
import { drawnByOrders } from '../../support/invariants/invariantsCredit.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { clearedAgreement } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

/** Orders are changed by SQL here: the figure of an agreement is kept by the database alone. */
const db = useDatabase()
const AGREEMENTS = ['agr_one', 'agr_two'] as const
const ORDERS_EACH = 8
const orders: string[] = []
let agreement: Agreement
beforeAll(async () => {
  for (const agreement_id of AGREEMENTS) {
    agreement = await clearedAgreement(db, { agreement_id })
    for (let made = 0; made < ORDERS_EACH; made += 1)
      orders.push(await stored(db.log, { agreement_id, intake: { agreements: [agreement] } }))
  }
})

/** What the figures and the orders come to, at one moment. */
async function bothSums(on: Pick<pg.Pool, 'query'>): Promise<{ figures: number[]; orders: number[] }> {
  const figures: number[] = []
  for (const agreement_id of AGREEMENTS) figures.push(Number(await readExposure(on, agreement_id)))
  const byOrders = await drawnByOrders(on)
  return { figures, orders: AGREEMENTS.map((agreement_id) => Number(byOrders.get(agreement_id))) }
}

async function inTransaction(begin: string, end: 'commit' | 'rollback', work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query(begin)
    await work(client)
    await client.query(end)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function expectSums(): Promise<void> {
  await inTransaction('begin isolation level repeatable read', 'commit', async (client) => {
    const { figures, orders } = await bothSums(client)
    expect(figures).toEqual(orders)
  })
}

const change = fc.record({
  order: fc.nat(AGREEMENTS.length * ORDERS_EACH - 1),
  drawn: fc.constantFrom(0, 0.01, 100, 250.5),
  status: fc.constantFrom('submitted', 'placed', 'canceled', 'rejected'),
  /** Two families have orders of both agreements. */
  root: fc.constantFrom(null, null, 0, ORDERS_EACH),
})
const transaction = fc.record({
  /** By order, so that no two transactions wait for each other's rows. */
  changes: fc
    .uniqueArray(change, { selector: ({ order }) => order, minLength: 1, maxLength: 5 })
    .map((changes) => changes.sort((a, b) => a.order - b.order)),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'commit' as const, 'rollback' as const),
})

describe('the figure of an agreement', () => {
  it('is the sum over its orders and families at every moment, whatever changes them at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 10, maxLength: 30 }), async (transactions) => {
        const changed = transactions.map(({ changes, end }) =>
          inTransaction('begin', end, async (client) => {
            for (const { order, drawn, status, root } of changes)
              await client.query('update orders set drawn = $2, status = $3, root = $4 where order_id = $1', [
                ...[orders[order], status === 'rejected' ? 0 : drawn, status],
                root === null ? null : orders[root],
              ])
          }),
        )
        await Promise.all([...changed, expectSums(), expectSums()])
        await expectSums()
      }),
      { numRuns: 30 },
    )
    const { rows } = await db.pool.query('select count(*)::int as gathered from credit_drawn')
    expect(rows).toEqual([{ gathered: AGREEMENTS.length }])
  })

  it('is read without the orders: once their changes are gathered, nothing else is summed', async () => {
    for (const agreement_id of AGREEMENTS)
      await db.owner().query('select gather_credit($1, $2, $3)', [agreement_id, agreement.seller, agreement.buyer_entity])
    expect((await db.pool.query('select from credit_changes')).rowCount).toBe(0)
    const { figures } = await bothSums(db.pool)
    const owner = await db.owner().connect()
    try {
      await owner.query('begin; set local session_replication_role = replica; update orders set drawn = drawn + 1000')
      expect((await bothSums(owner)).figures).toEqual(figures)
    } finally {
      await owner.query('rollback')
      owner.release()
    }
    await expectSums()
  })

  it('counts a revision and what it revises once, from the moment that there is one', async () => {
    const [first, second] = orders
    await db.pool.query(`update orders set status = 'placed', root = null, drawn = 0`)
    await db.pool.query('update orders set drawn = 100 where order_id = $1', [first])
    expect((await bothSums(db.pool)).figures).toEqual([100, 0])
    await db.pool.query('update orders set drawn = 130, root = $1 where order_id = $2', [first, second])
    await db.pool.query('update orders set root = order_id where order_id = $1', [first])
    expect((await bothSums(db.pool)).figures).toEqual([130, 0])
    await db.pool.query(`update orders set status = 'canceled', drawn = 40 where order_id = $1`, [first])
    expect((await bothSums(db.pool)).figures).toEqual([170, 0])
    await db.pool.query(`update orders set status = 'canceled' where order_id = $1`, [second])
    await db.pool.query('update orders set drawn = 0 where order_id = $1', [second])
    expect((await bothSums(db.pool)).figures).toEqual([40, 0])
    await expectSums()
  })

  it('is gathered of each of two agreements whose orders take turns', async () => {
    await db.owner().query(`do $$ begin
      for turn in 1..2000 loop
        update orders set drawn = turn where order_id = case when turn % 2 = 0 then '${orders[0]}' else '${orders[ORDERS_EACH]}' end;
      end loop; end $$`)
    for (const agreement_id of AGREEMENTS) {
      const { rowCount } = await db.pool.query('select from credit_changes where agreement_id = $1', [agreement_id])
      expect(rowCount).toBeLessThan(500)
    }
    await expectSums()
  })

  it('is counted from the orders again after a restore, whatever was loaded', async () => {
    await db.owner().query('update credit_drawn set drawn = drawn * 2')
    await db.pool.query('update orders set drawn = 10, root = null')
    await db.pool.query('update orders set root = $1, drawn = 20 where order_id = any($2)', [orders[0], orders.slice(0, 3)])
    await recountCredit(db.url)
    expect((await db.pool.query('select from credit_changes')).rowCount).toBe(0)
    await expectSums()
  })

  it('is changed by no function that an application may call', async () => {
    const { rows } = await db.owner().query(
      `select proname from pg_proc where proname in ('note_drawn', 'gather_credit', 'recount_credit')
        and has_function_privilege('marketplace_app', oid, 'execute')`,
    )
    expect(rows).toEqual([])
  })
})
