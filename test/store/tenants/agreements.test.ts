import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { closeOrder } from '../../../src/orders/closeOrder.ts'
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

describe('the minutes of an agreement', () => {
  it('are read when its orders are reconciled, which are due when they change', async () => {
    const reconciliation = { window_minutes: 0, match_minutes: 30 }
    for (let times = 0; times < 2; times += 1) await save({ reconciliation })
    expect([await due(), await woken()]).toEqual([[orderId], [SELLER]])
    expect(await readHeads(db, SELLER, [orderId])).toMatchObject([{ tolerance: reconciliation }])
    await db.owner().query('delete from reconcile_due')
    await save({ reconciliation })
    expect(await due()).toEqual([])
    await save({})
    expect(await due()).toEqual([orderId])
    expect(await readHeads(db, SELLER, [orderId])).toMatchObject([{ tolerance: {} }])
  })

  it('leave its orders alone when something else changes, and orders under others', async () => {
    await save({ external_ref: 'ref' })
    expect(await due()).toEqual([])
    const other = await clearedAgreement(db, { agreement_id: `agr_${++agreements}` })
    await saveAgreement(db, operator(SELLER, 'seller', 'command_line'), { ...other, reconciliation: { match_minutes: 0 } })
    expect([await due(), await woken()]).toEqual([[], []])
  })
})
