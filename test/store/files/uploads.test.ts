import { beforeEach, describe, expect, it } from '@jest/globals'
import { createOrder } from '../../../src/operations/orders/createOrder.ts'
import {
  claimUpload,
  endClaim,
  findOwnBytes,
  lapseUploads,
  mintUpload,
  readObjectName,
  readUpload,
  uploadsCleared,
  uploadsToClear,
} from '../../../src/store/files/uploads.ts'
import { attachment, expires, PDF, sha256Of } from '../../support/files/uploads.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeEach(() => market.deps.db.pool.query(`update uploads set claimed_at = null, expires_at = now() + interval '1 day'`))

const db = () => market.deps.db
const TERMS = { ttlHours: 1, perDay: 0 }
async function minted(): Promise<string> {
  const mint = await mintUpload(db(), 'acme', { filename: 'plan.pdf', format: 'pdf', size_bytes: PDF.length }, TERMS)
  if (!('minted' in mint)) throw new Error('nothing was minted')
  return mint.minted.upload_id
}
async function stored(): Promise<string> {
  const id = await minted()
  const claim = await claimUpload(db(), 'acme', id)
  if (claim === undefined || !(await endClaim(db(), claim, { status: 'uploaded', sha256: sha256Of(PDF) }))) throw new Error('no claim')
  return id
}
const statusOf = async (id: string) => (await db().pool.query('select status from uploads where upload_id = $1', [id])).rows[0].status
const order = (id: string) => {
  const ask = market.order({ attachments: [attachment(id)] })
  return createOrder(market.deps.orders, db(), 'acme', ask as never, Buffer.from(JSON.stringify(ask)))
}

describe('a claim', () => {
  it('is given to one of many', async () => {
    const id = await minted()
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimUpload(db(), 'acme', id)))
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
  })

  it('is its buyer’s alone, and nobody else’s for five minutes', async () => {
    const id = await minted()
    expect(await claimUpload(db(), 'zenith', id)).toBeUndefined()
    expect(await claimUpload(db(), 'acme', id)).toBeDefined()
    const since = (age: string) => db().pool.query(`update uploads set claimed_at = now() - interval '${age}' where upload_id = $1`, [id])
    await since('4 minutes 50 seconds')
    expect(await claimUpload(db(), 'acme', id)).toBeUndefined()
    await since('5 minutes')
    expect(await claimUpload(db(), 'acme', id)).toBeDefined()
  })

  it('that was taken over can end nothing', async () => {
    const id = await minted()
    const first = await claimUpload(db(), 'acme', id)
    await db().pool.query('select pg_sleep(0.002)') // a claim is known by its millisecond
    await db().pool.query(`update uploads set claimed_at = claimed_at - interval '6 minutes' where upload_id = $1`, [id])
    const second = await claimUpload(db(), 'acme', id)
    if (first === undefined || second === undefined) throw new Error('no claim')
    expect(second.object).not.toBe(first.object)
    for (const status of ['pending', 'rejected'] as const) expect(await endClaim(db(), first, { status })).toBe(false)
    expect(await endClaim(db(), second, { status: 'uploaded', sha256: 'x' })).toBe(true)
    expect(await endClaim(db(), second, { status: 'pending' })).toBe(false)
    expect(await readUpload(db(), 'acme', id)).toMatchObject({ status: 'uploaded', sha256: 'x' })
  })
})

describe('an upload past expires_at', () => {
  it('is expired at once, unless an order has it: that one stays, with its bytes', async () => {
    const [attached, loose, pending] = [await stored(), await stored(), await minted()]
    const claim = await claimUpload(db(), 'acme', pending)
    await order(attached)
    for (const id of [attached, loose, pending]) await expires(market, id, '-1 second')
    const seen = (id: string, buyer = 'acme') => readUpload(db(), buyer, id).then((upload) => upload?.status)
    expect([await seen(attached), await seen(loose), await seen(pending)]).toEqual(['uploaded', 'expired', 'expired'])
    expect(await seen(attached, 'zenith')).toBeUndefined()
    const bytes = (id: string, buyer = 'acme') => findOwnBytes(db(), buyer, id).then((found) => found?.size_bytes)
    expect([await bytes(attached), await bytes(loose)]).toEqual([PDF.length, undefined])
    expect(await bytes(attached, 'zenith')).toBeUndefined()
    if (claim === undefined) throw new Error('no claim')
    expect(await endClaim(db(), claim, { status: 'uploaded', sha256: 'x' })).toBe(false)
    expect(await endClaim(db(), claim, { status: 'pending' })).toBe(true)
    expect(await claimUpload(db(), 'acme', pending)).toBeUndefined()
  })

  it('lapses in its turn: the oldest first', async () => {
    const [later, first] = [await minted(), await minted()]
    await expires(market, later, '-1 hour')
    await expires(market, first, '-2 hours')
    expect(await lapseUploads(db(), 1)).toBe(1)
    expect([await statusOf(first), await statusOf(later)]).toEqual(['expired', 'pending'])
    expect(await lapseUploads(db(), 10)).toBe(1)
  })
})

describe('the lapse', () => {
  it('takes what is past expires_at, in batches, once among many, and leaves what is pinned, young or being received', async () => {
    const due = await Promise.all([minted(), minted(), stored(), stored(), stored()])
    const [young, pinned, receiving] = await Promise.all([stored(), stored(), minted()])
    await order(pinned)
    await claimUpload(db(), 'acme', receiving)
    for (const id of [...due, pinned, receiving]) await expires(market, id)
    expect(await lapseUploads(db(), 2)).toBe(2)
    const lapsed = await Promise.all(Array.from({ length: 4 }, () => lapseUploads(db(), 10)))
    expect(lapsed.reduce((sum, count) => sum + count)).toBe(3)
    expect(new Set(await Promise.all(due.map(statusOf)))).toEqual(new Set(['expired']))
    expect(await Promise.all([young, pinned, receiving].map(statusOf))).toEqual(['uploaded', 'uploaded', 'receiving'])
  })

  it('takes over an abandoned claim', async () => {
    const id = await minted()
    await claimUpload(db(), 'acme', id)
    await expires(market, id)
    await db().pool.query(`update uploads set claimed_at = now() - interval '6 minutes' where upload_id = $1`, [id])
    expect(await lapseUploads(db(), 10)).toBe(1)
  })

  it('leaves objects to be cleared where a PUT had begun, until they are', async () => {
    const [never, there] = [await minted(), await stored()]
    for (const id of [never, there]) await expires(market, id)
    await lapseUploads(db(), 10)
    expect(await uploadsToClear(db(), 10)).toEqual([there])
    const living = await stored()
    await uploadsCleared(db(), [there, living])
    expect(await uploadsToClear(db(), 10)).toEqual([])
    expect(await readObjectName(db(), living)).toMatch(new RegExp(`^uploads/${living}/`))
  })
})

describe('a create and the lapse of its upload', () => {
  it('one wins: a create that comes second is refused, and writes nothing', async () => {
    const id = await stored()
    const client = await db().pool.connect()
    try {
      await client.query('begin')
      await client.query(`update uploads set status = 'expired' where upload_id = $1`, [id])
      const creating = order(id) // its facts say uploaded: it waits at the row
      await waiting()
      await client.query('commit')
      await expect(creating).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'attachments.0.upload_id' } })
    } finally {
      client.release()
    }
    expect((await db().pool.query('select from order_uploads where upload_id = $1', [id])).rowCount).toBe(0)
    expect(
      (await db().pool.query(`select from orders o where not exists (select from order_records r where r.order_id = o.order_id)`)).rowCount,
    ).toBe(0)
  })

  it('one wins: a lapse that comes second passes the upload by', async () => {
    const id = await stored()
    await expires(market, id)
    const client = await db().pool.connect()
    try {
      await client.query('begin')
      await client.query('update uploads set pinned = true where upload_id = $1', [id])
      expect(await lapseUploads(db(), 10)).toBe(0)
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await lapseUploads(db(), 10)).toBe(0)
    expect(await statusOf(id)).toBe('uploaded')
  })

  it('never both, over many races', async () => {
    for (let round = 0; round < 25; round += 1) {
      const id = await stored()
      const [created] = await Promise.allSettled([
        order(id),
        db()
          .pool.query(`update uploads set expires_at = now() where upload_id = $1`, [id])
          .then(() => lapseUploads(db(), 10)),
      ])
      const pins = (await db().pool.query('select from order_uploads where upload_id = $1', [id])).rowCount
      const status = await statusOf(id)
      expect([created.status, pins, status]).toEqual(
        created.status === 'fulfilled' ? ['fulfilled', 1, 'uploaded'] : ['rejected', 0, expect.stringMatching(/^(expired|uploaded)$/)],
      )
    }
  })
})

/** Until a statement of this database waits for another's row. */
async function waiting(): Promise<void> {
  await until(async () => {
    const { rowCount } = await db().pool.query(
      `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
    )
    return rowCount !== 0
  })
}
