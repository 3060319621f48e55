import { beforeAll, describe, expect, it } from '@jest/globals'
import { deleteOldResends } from '../../../src/store/edi/queueResend.ts'
import { storeMail } from '../../support/edi/storedMails.ts'
import { postWith } from '../../support/http/postWith.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const effective = { start: '2026-01-01', end: '2030-12-31' }
const edi = { to: 'billing@acme.example' }
beforeAll(async () => {
  await market.cable.put('/me/agreements/agr-edi', { buyer_entity: 'acme', effective, edi })
  await market.cable.put('/me/agreements/agr-plain', { buyer_entity: 'acme', effective })
})

const placed = () => market.placed({ agreement_id: 'agr-edi' })
const sides = (orderId: string) => [
  { own: market.acme, stranger: market.zenith, path: `/orders/${orderId}/edi` },
  { own: market.cable, stranger: market.station, path: `/me/orders/${orderId}/edi` },
]
const send = (path: string, key: string, body: object, tenant = market.acme) =>
  postWith(market, tenant, path, { 'Idempotency-Key': key }, body)
const woken = async () =>
  (await market.deps.db.pool.query<{ target: string }>(`select target from outbox where kind = 'mail'`)).rows.map(({ target }) => target)

describe('POST /orders/{order_id}/edi and POST /me/orders/{order_id}/edi: 202', () => {
  it('queue the document of one mail again, under a new id with the same document', async () => {
    const orderId = await placed()
    const mail = await storeMail(market.deps, orderId)
    await storeMail(market.deps, orderId, { seq: 5, document: 'cancelled' })
    await market.deps.db.pool.query('delete from outbox')
    for (const { own, path } of sides(orderId)) {
      const { status, body } = await own.post(path, { message_id: mail })
      expect(status).toBe(202)
      expect(body).toMatchObject({
        document: 'confirmed',
        document_id: mail,
        resend_of: mail,
        seq: 4,
        status: 'queued',
        to: null,
        attempts: [],
      })
      expect(body.message_id).not.toBe(mail)
      expect((await own.get(path)).body.items[0]).toEqual(body)
    }
    expect(await woken()).toEqual(['agr-edi', 'agr-edi'])
  })

  it('queue the document of the order’s state where no mail is named, and no body', async () => {
    const orderId = await placed()
    await storeMail(market.deps, orderId)
    const cancelled = await storeMail(market.deps, orderId, { seq: 5, document: 'cancelled', status: 'failed', status_reason: 'expired' })
    const { body } = await market.acme.post(`/orders/${orderId}/edi`, undefined)
    expect(body).toMatchObject({ document: 'cancelled', document_id: cancelled, resend_of: cancelled, seq: 5 })
    const again = await market.cable.post(`/me/orders/${orderId}/edi`, {})
    expect(again.body).toMatchObject({ document: 'cancelled', document_id: cancelled, resend_of: cancelled })
  })

  it('name the first document also where a mail is sent again that was itself sent again', async () => {
    const orderId = await placed()
    const mail = await storeMail(market.deps, orderId)
    const { body: second } = await market.acme.post(`/orders/${orderId}/edi`, {})
    await market.deps.db.pool.query(`update edi_messages set status = 'bounced' where message_id = $1`, [second.message_id])
    const { body: third } = await market.acme.post(`/orders/${orderId}/edi`, { message_id: second.message_id })
    expect(third).toMatchObject({ document_id: mail, resend_of: second.message_id, seq: 4 })
    expect((await market.acme.get(`/orders/${orderId}/edi/${third.message_id}/document`)).text).toBe('<adx/>')
  })

  it('queue the first mail of an order that was placed before its agreement had an address', async () => {
    const orderId = await placed()
    await market.owner().query('update orders set closed = true where order_id = $1', [orderId])
    const { status, body } = await market.acme.post(`/orders/${orderId}/edi`, {})
    expect([status, body.document, body.status, body.resend_of]).toEqual([202, 'confirmed', 'queued', undefined])
    expect(body).toMatchObject({ seq: (await market.snapshot(orderId)).last_seq, document_id: body.message_id })
    expect((await market.acme.get(`/orders/${orderId}/edi`)).body.items).toEqual([body])
  })

  it('warn of unknown members', async () => {
    const orderId = await placed()
    await storeMail(market.deps, orderId)
    const { status, body } = await market.acme.post(`/orders/${orderId}/edi`, { mesage_id: 'x' })
    expect([status, body.warnings]).toEqual([202, [{ code: 'UNKNOWN_MEMBER', pointer: '/mesage_id', nearest: 'message_id' }]])
  })
})

describe('POST /orders/{order_id}/edi with an Idempotency-Key: 202', () => {
  it('is the same reply again for the same body, also when the requests race', async () => {
    const orderId = await placed()
    const path = `/orders/${orderId}/edi`
    const mail = await storeMail(market.deps, orderId)
    const first = await send(path, 'k-1', { message_id: mail, extra: 1 })
    const again = await send(path, 'k-1', { message_id: mail, extra: 1 })
    expect([first.status, first.headers['x-idempotent-replay']]).toEqual([202, undefined])
    expect([again.status, again.text, again.headers['x-idempotent-replay']]).toEqual([202, first.text, 'true'])
    const raced = await Promise.all(Array.from({ length: 6 }, () => send(path, 'k-2', { message_id: mail })))
    expect(raced.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202])
    expect(new Set(raced.map(({ text }) => text)).size).toBe(1)
    expect((await market.acme.get(path)).body.items).toHaveLength(3)
  })

  it('is another mail under the same key of another order or the other side', async () => {
    const [orderId, other] = [await placed(), await placed()]
    const mail = await storeMail(market.deps, orderId)
    await storeMail(market.deps, other)
    const first = await send(`/orders/${orderId}/edi`, 'k-3', {})
    const elsewhere = await send(`/orders/${other}/edi`, 'k-3', {})
    const seller = await send(`/me/orders/${orderId}/edi`, 'k-3', { message_id: mail }, market.cable)
    expect([first, elsewhere, seller].map(({ status }) => status)).toEqual([202, 202, 202])
    expect(new Set([first, elsewhere, seller].map(({ body }) => body.message_id)).size).toBe(3)
  })

  it('follows a refusal under the same key', async () => {
    const orderId = await placed()
    const mail = await storeMail(market.deps, orderId, { status: 'queued' })
    expect((await send(`/orders/${orderId}/edi`, 'k-4', {})).status).toBe(409)
    await market.deps.db.pool.query(`update edi_messages set status = 'sent' where message_id = $1`, [mail])
    expect((await send(`/orders/${orderId}/edi`, 'k-4', {})).status).toBe(202)
  })

  it('is repeated for more than a day, until the key is forgotten', async () => {
    const { db } = market.deps
    const orderId = await placed()
    await storeMail(market.deps, orderId)
    const first = await send(`/orders/${orderId}/edi`, 'k-5', {})
    const age = (hours: number) =>
      market.owner().query(`update edi_resends set asked_at = now() - $1 * interval '1 hour' where order_id = $2`, [hours, orderId])
    await age(25)
    await deleteOldResends(db, 100)
    expect((await send(`/orders/${orderId}/edi`, 'k-5', {})).text).toBe(first.text)
    await age(72)
    expect(await deleteOldResends(db, 100)).toBe(1)
    expect((await send(`/orders/${orderId}/edi`, 'k-5', {})).headers['x-idempotent-replay']).toBeUndefined()
  })
})

describe('POST /orders/{order_id}/edi with an Idempotency-Key: 409', () => {
  it('is CONFLICT with another body', async () => {
    const orderId = await placed()
    const mail = await storeMail(market.deps, orderId)
    await send(`/orders/${orderId}/edi`, 'k-6', {})
    const changed = await send(`/orders/${orderId}/edi`, 'k-6', { message_id: mail })
    expect([changed.status, changed.body.error_code, changed.body.details.field]).toEqual([409, 'CONFLICT', 'Idempotency-Key'])
  })
})

describe('POST /orders/{order_id}/edi with an Idempotency-Key: 422', () => {
  it('refuses a key with a space', async () => {
    const orderId = await placed()
    await storeMail(market.deps, orderId)
    const wrong = await send(`/orders/${orderId}/edi`, 'two words', {})
    expect([wrong.status, wrong.body.details.field]).toEqual([422, 'Idempotency-Key'])
  })
})

describe('POST /orders/{order_id}/edi and POST /me/orders/{order_id}/edi: 404', () => {
  it('are the same for another tenant’s order and an unknown one, whatever the body', async () => {
    const orderId = await placed()
    for (const { stranger, path } of sides(orderId)) {
      for (const body of [{}, { message_id: 7 }]) {
        const foreign = await stranger.post(path, body)
        const unknown = await stranger.post(path.replace(orderId, 'ord_nothing'), body)
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
      }
    }
  })

  it('are the same for an unknown mail and a mail of another order', async () => {
    const [orderId, other] = [await placed(), await placed()]
    const mail = await storeMail(market.deps, other)
    for (const { own, path } of sides(orderId)) {
      const foreign = await own.post(path, { message_id: mail })
      const unknown = await own.post(path, { message_id: 'edi_nothing' })
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
  })
})

describe('POST /orders/{order_id}/edi and POST /me/orders/{order_id}/edi: 409', () => {
  const refused = async (orderId: string, body: object = {}) => {
    const replies = []
    for (const { own, path } of sides(orderId)) replies.push(await own.post(path, body))
    const [buyer, seller] = replies.map((reply) => [reply.status, reply.body.error_code, reply.body.error_message, reply.body.details])
    expect(seller).toEqual(buyer)
    return buyer
  }

  it('refuse an order that never was placed', async () => {
    const parked = await market.parked({ agreement_id: 'agr-edi' })
    const message = 'The order is seller_review and was never placed: it has no document.'
    expect(await refused(parked)).toEqual([409, 'INVALID_STATE', message, { status: 'seller_review', last_seq: 3 }])
    await market.acme.post(`/orders/${parked}/cancel`, {})
    expect((await refused(parked))?.slice(0, 2)).toEqual([409, 'INVALID_STATE'])
  })

  it('refuse an order without an address', async () => {
    const placedAt = { status: 'placed', last_seq: 4 }
    expect(await refused(await market.placed())).toEqual([
      ...[409, 'INVALID_STATE', 'The order is under no agreement.'],
      { ...placedAt, reason: 'no_agreement' },
    ])
    expect(await refused(await market.placed({ agreement_id: 'agr-plain' }))).toEqual([
      ...[409, 'INVALID_STATE', 'The agreement agr-plain has no edi address.'],
      { ...placedAt, reason: 'no_address' },
    ])
  })

  it('refuse a mail that is queued, or was skipped', async () => {
    const orderId = await placed()
    const queued = await storeMail(market.deps, orderId, { seq: 4, status: 'queued' })
    expect(await refused(orderId)).toEqual([
      ...[409, 'INVALID_STATE', 'This mail is still queued: it is sent without another request.'],
      { message_id: queued, status: 'queued' },
    ])
    const skipped = await storeMail(market.deps, orderId, { seq: 5, document: 'cancelled', status: 'skipped', status_reason: 'replaced' })
    expect(await refused(orderId, { message_id: skipped })).toEqual([
      ...[409, 'INVALID_STATE', 'This mail was skipped (replaced): it has no document.'],
      { message_id: skipped, status: 'skipped', status_reason: 'replaced' },
    ])
  })

  it('refuse an order that was canceled before any mail of it was sent', async () => {
    const orderId = await placed()
    await market.acme.post(`/orders/${orderId}/cancel`, {})
    expect(await refused(orderId)).toEqual([
      ...[409, 'INVALID_STATE', 'The order is canceled, and nothing of it was sent before.'],
      { status: 'canceled', last_seq: 5 },
    ])
  })
})

describe('POST /orders/{order_id}/edi and POST /me/orders/{order_id}/edi: 422', () => {
  it('refuse a message_id that is not a string', async () => {
    const orderId = await placed()
    for (const { own, path } of sides(orderId)) expect((await own.post(path, { message_id: 7 })).body.details.field).toBe('message_id')
  })
})

describe('POST /orders/{order_id}/edi and POST /me/orders/{order_id}/edi: 429', () => {
  it('allow each side 20 mails of an order in 24 hours', async () => {
    const orderId = await placed()
    await storeMail(market.deps, orderId)
    const other = await placed()
    await storeMail(market.deps, other)
    const [buyer, seller] = sides(orderId)
    for (let sent = 0; sent < 20; sent += 1) expect((await buyer?.own.post(buyer.path, {}))?.status).toBe(202)
    const refused = await buyer?.own.post(buyer.path, {})
    expect([refused?.status, refused?.body.error_code]).toEqual([429, 'RATE_LIMITED'])
    const wait = Number(refused?.headers['retry-after'])
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
    expect((await seller?.own.post(seller.path, {}))?.status).toBe(202)
    expect((await market.acme.post(`/orders/${other}/edi`, {})).status).toBe(202)
    await market.owner().query(`update edi_resends set asked_at = asked_at - interval '1 day' where order_id = $1`, [orderId])
    expect((await buyer?.own.post(buyer.path, {}))?.status).toBe(202)
  })
})
