import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { markNextOrders } from '../../../src/store/settlement/markAgreements.ts'
import { readHeads } from '../../../src/store/settlement/readToReconcile.ts'
import { saveAgreement } from '../../../src/store/tenants/agreements.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { SELLER } from '../../support/orders/anOrder.ts'
import { clearedAgreement, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let agreements = 0
let agreement: Agreement
let orderId: string
beforeEach(async () => {
  await db.owner().query('delete from agreements_due')
  agreement = await clearedAgreement(db, { agreement_id: `agr_${++agreements}` })
  orderId = await placedUnder(db.log, agreement)
  await closeOrder(db.log, db, orderId)
  await db.owner().query(`delete from reconcile_due; delete from outbox where kind = 'reconcile'`)
})
db.beforeStop(() => expectInvariants(db.url))

const save = (more: Partial<Agreement>) =>
  saveAgreement(db.as([SELLER]), operator(SELLER, 'seller', 'command_line'), { ...agreement, ...more })
const due = async () => (await db.owner().query('select order_id from reconcile_due')).rows.map(({ order_id }) => order_id)
const woken = async () => (await db.owner().query(`select target from outbox where kind = 'reconcile'`)).rows.map(({ target }) => target)

/** Marks as the run of the seller does: returns how many transactions it took. */
const marked = async (limit?: number) => {
  let transactions = 0
  while (await markNextOrders(db, SELLER, limit)) transactions += 1
  return transactions
}

describe('the minutes of an agreement', () => {
  it('are read when its orders are reconciled, which are due when they change', async () => {
    const reconciliation = { window_minutes: 0, match_minutes: 30 }
    for (let times = 0; times < 2; times += 1) await save({ reconciliation })
    expect([await due(), await woken()]).toEqual([[], [SELLER]])
    await marked()
    expect(await due()).toEqual([orderId])
    expect(await readHeads(db, SELLER, [orderId])).toMatchObject([{ tolerance: reconciliation }])
    await db.owner().query('delete from reconcile_due')
    await save({ reconciliation })
    await marked()
    expect(await due()).toEqual([])
    await save({})
    await marked()
    expect(await due()).toEqual([orderId])
    expect(await readHeads(db, SELLER, [orderId])).toMatchObject([{ tolerance: {} }])
  })

  it('leave its orders alone when something else changes, and orders under others', async () => {
    await save({ external_ref: 'ref' })
    expect(await marked()).toBe(0)
    const other = await clearedAgreement(db, { agreement_id: `agr_${++agreements}` })
    await saveAgreement(db, operator(SELLER, 'seller', 'command_line'), { ...other, reconciliation: { match_minutes: 0 } })
    expect(await due()).toEqual([])
    await marked()
    expect(await due()).toEqual([])
  })

  it('mark its orders in short transactions, again from the first one if they change in the meantime', async () => {
    const more = [orderId]
    for (let made = 0; made < 4; made += 1) more.push(await placedUnder(db.log, agreement))
    for (const each of more) await closeOrder(db.log, db, each)
    await db.owner().query('delete from reconcile_due')
    await save({ reconciliation: { window_minutes: 0 } })
    expect(await markNextOrders(db, SELLER, 2)).toBe(true)
    expect((await due()).sort()).toEqual([...more].sort().slice(0, 2))
    await db.owner().query('delete from reconcile_due')
    await save({ reconciliation: { window_minutes: 1 } })
    expect(await marked(2)).toBe(3)
    expect((await due()).sort()).toEqual([...more].sort())
    const { rows } = await db.owner().query('select count(*)::int as orders from reconcile_due group by xmin::text')
    expect(Math.max(...rows.map(({ orders }) => orders))).toBe(2)
  })

  it('of another seller mark nothing, whoever asks', async () => {
    const asked = `set role marketplace_app; select mark_agreement_due('${agreement.agreement_id}', '${SELLER}')`
    await expect(db.owner().query(asked)).rejects.toThrow('row-level security')
    await db.owner().query('reset role')
    expect([await marked(), await due()]).toEqual([0, []])
  })
})
