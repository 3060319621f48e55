import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { issueAsOf } from '../../../src/operations/settlement/issueAsOf.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { SELLER } from '../../support/orders/anOrder.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { clearedAgreement, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let agreement: Agreement
beforeEach(async () => {
  agreement = await clearedAgreement(db)
})
db.beforeStop(() => expectInvariants(db.url))

const AHEAD = { seller: SELLER, asOf: '2030-01-01T00:00:00.000Z' }
const issue = (limits = {}) => issueAsOf({ log: db.log, db }, AHEAD, limits)

describe('a call that invoices ahead', () => {
  it('goes on past orders of which nothing is to be issued', async () => {
    const orders = await Promise.all(Array.from({ length: 201 }, () => stored(db.log)))
    await db.owner().query(`update orders set invoice_due_at = '2020-01-01' where order_id = any($1)`, [orders])
    await placedUnder(db.log, agreement)
    expect(await issue()).toMatchObject({ issued: [expect.any(String), expect.any(String)], has_more: false })
    expect(await issue()).toEqual({ issued: [], has_more: false })
  })

  it('ends at the orders that a call invoices, and at those that it looks at, and says that there are more', async () => {
    for (let made = 0; made < 2; made += 1) await placedUnder(db.log, agreement)
    await db.owner().query(`update orders set invoice_due_at = '2020-01-01' where order_id = $1`, [await stored(db.log)])
    expect(await issue({ looked_at: 1 })).toEqual({ issued: [], has_more: true })
    expect(await issue({ invoiced: 1 })).toMatchObject({ issued: { length: 2 }, has_more: true })
    expect(await issue({ invoiced: 1 })).toMatchObject({ issued: { length: 2 }, has_more: false })
  })
})
