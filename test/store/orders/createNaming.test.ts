import { beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '../../../src/store/connection/newId.ts'
import { createOrders, type NewOrder } from '../../../src/store/orders/createOrders.ts'
import { aLine, BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { aNewOrder, rowCounts } from '../../support/orders/storedOrders.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
beforeAll(async () => {
  for (const seller of [SELLER, 'seller_two']) {
    await db.owner().query(`insert into tenants (entity, side, name) values ($1, 'seller', $1)`, [seller])
    await db.owner().query(`insert into sellers (seller, profile) values ($1, '{}')`, [seller])
  }
})

const AN_HOUR = 3_600_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

async function hold({ buyer = BUYER, seller = SELLER, status = 'held', ends = AN_HOUR } = {}): Promise<string> {
  const id = newId('hold_')
  await db.owner().query(
    `insert into holds (hold_id, seller, buyer_entity, status, lines, created_at, expires_at, at_seller)
       values ($1, $2, $3, $4, '[]', now(), $5, false)`,
    [id, seller, buyer, status, at(ends)],
  )
  return id
}

async function upload({ buyer = BUYER, status = 'uploaded' } = {}): Promise<string> {
  const id = newId('upl_')
  await db.owner().query(
    `insert into uploads (upload_id, buyer_entity, filename, format, size_bytes, status, created_at, expires_at)
       values ($1, $2, 'plan.pdf', 'pdf', 1, $3, now(), $4)`,
    [id, buyer, status, at(AN_HOUR)],
  )
  return id
}

const citing = (hold_id: string): NewOrder => aNewOrder({ line_items: [aLine({ hold_id })] })
/** The rules would refuse what these uploads are; here it is only found at the commit. */
function naming(upload_id: string): NewOrder {
  const made = aNewOrder()
  const attachments = [{ upload_id, format: 'pdf' as const, role: 'buysheet' as const, filename: 'plan.pdf', sha256: 'a'.repeat(64) }]
  return { ...made, order: { ...made.order, request: { ...made.order.request, attachments } } }
}
const idOf = ({ order }: NewOrder) => order.facts.order_id
const usedBy = async (hold_id: string) =>
  (await db.owner().query('select status, order_id from holds where hold_id = $1', [hold_id])).rows[0]
const pinnedBy = async (upload_id: string) =>
  (
    await db
      .owner()
      .query('select pinned, order_id from uploads left join order_uploads using (upload_id) where upload_id = $1', [upload_id])
  ).rows[0]

describe('an order that names holds and uploads', () => {
  it('takes its own, and those of the orders that come with it stay theirs', async () => {
    const [one, other] = [citing(await hold()), citing(await hold())]
    const [first, second] = [naming(await upload()), naming(await upload())]
    const rest = [await hold(), await upload()] as const
    expect(await createOrders(db.pool, [one, first, other, second])).toEqual(['created', 'created', 'created', 'created'])
    for (const order of [one, other]) {
      const [line] = order.order.request.line_items ?? []
      expect(await usedBy(line?.hold_id as string)).toEqual({ status: 'used', order_id: idOf(order) })
    }
    for (const order of [first, second]) {
      const [attachment] = order.order.request.attachments ?? []
      expect(await pinnedBy(attachment?.upload_id as string)).toEqual({ pinned: true, order_id: idOf(order) })
    }
    expect([await usedBy(rest[0]), await pinnedBy(rest[1])]).toEqual([
      { status: 'held', order_id: null },
      { pinned: false, order_id: null },
    ])
  })

  it.each([
    ['a hold of another buyer', () => hold({ buyer: 'buyer_two' })],
    ['a hold with another seller', () => hold({ seller: 'seller_two' })],
    ['a hold that has run out and nobody has ended yet', () => hold({ ends: -1 })],
    ['a hold that is being asked for', () => hold({ status: 'asking' })],
    ['a hold that was released', () => hold({ status: 'released' })],
    ['a hold that another order has used', () => hold({ status: 'used' })],
    ['an upload of another buyer', () => upload({ buyer: 'buyer_two' })],
    ['an upload that waits for its bytes', () => upload({ status: 'pending' })],
    ['an upload whose bytes are arriving', () => upload({ status: 'receiving' })],
    ['an upload that was rejected', () => upload({ status: 'rejected' })],
    ['an upload that has lapsed', () => upload({ status: 'expired' })],
  ])('is not created with %s', async (_, made) => {
    const id = await made()
    const order = id.startsWith('hold_') ? citing(id) : naming(id)
    const before = await rowCounts(db)
    expect(await createOrders(db.pool, [order])).toEqual(['outdated'])
    expect(await rowCounts(db)).toEqual(before)
    await expect(createOrders(db.pool, [aNewOrder(), order])).rejects.toThrow()
    expect(await rowCounts(db)).toEqual(before)
  })

  it.each([
    ['runs out', 'expires_at = now()'],
    ['is released', `status = 'released'`],
  ])('is not created when its hold %s while it waits for it', async (_, change) => {
    const id = await hold()
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update holds set ${change} where hold_id = $1`, [id])
      const creating = createOrders(db.pool, [citing(id)])
      await until(async () => (await db.owner().query('select from pg_locks where not granted')).rowCount !== 0)
      await client.query('commit')
      expect(await creating).toEqual(['outdated'])
    } finally {
      client.release()
    }
  })

  it('uses nothing for a key that is taken', async () => {
    const [key, id] = ['taken', await hold()]
    expect(await createOrders(db.pool, [aNewOrder({ external_order_id: key })])).toEqual(['created'])
    const again = aNewOrder({ external_order_id: key, line_items: [aLine({ hold_id: id })] })
    const before = await rowCounts(db)
    expect(await createOrders(db.pool, [again])).toEqual(['taken'])
    expect(await createOrders(db.pool, [aNewOrder({ external_order_id: key })])).toEqual(['taken'])
    expect(await rowCounts(db)).toEqual(before)
    const named = naming(await upload())
    const { order } = named
    const taken = { ...named, order: { ...order, request: { ...order.request, external_order_id: key } } }
    expect(await createOrders(db.pool, [again, taken, citing(await hold()), naming(await upload())])).toEqual([
      ...['taken', 'taken'],
      ...['created', 'created'],
    ])
    expect(await usedBy(id)).toEqual({ status: 'held', order_id: null })
  })
})
