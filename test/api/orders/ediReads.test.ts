import { beforeAll, describe, expect, it } from '@jest/globals'
import { storeMail } from '../../support/edi/storedMails.ts'
import { everyPage } from '../../support/http/everyPage.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const effective = { start: '2026-01-01', end: '2030-12-31' }
const edi = { to: 'billing@acme.example', formats: ['scx', 'csv'] }
let order: string
beforeAll(async () => {
  await market.cable.put('/me/agreements/agr-edi', { buyer_entity: 'acme', effective, edi })
  await market.cable.put('/me/agreements/agr-plain', { buyer_entity: 'acme', effective })
  order = await market.placed({ agreement_id: 'agr-edi' })
})

const sides = (orderId: string) => [
  { side: 'buyer', own: market.acme, stranger: market.zenith, path: `/orders/${orderId}/edi` },
  { side: 'seller', own: market.cable, stranger: market.station, path: `/me/orders/${orderId}/edi` },
]

describe('GET /orders/{order_id}/edi and GET /me/orders/{order_id}/edi: 200', () => {
  it('show both sides the same mails, newest first, with their attempts', async () => {
    const orderId = await market.placed({ agreement_id: 'agr-edi' })
    const first = await storeMail(market.deps, orderId, {
      warnings: ['NO_ESTIMATE'],
      attempts: [
        { at: '2030-05-01T12:00:00.000Z', outcome: 'deferred', code: 451, enhanced: '4.7.1', latency_ms: 12 },
        { at: '2030-05-01T12:01:00.000Z', outcome: 'accepted', code: 250, latency_ms: 9 },
      ],
    })
    const second = await storeMail(market.deps, orderId, { seq: 5, document: 'cancelled', status: 'queued', stuck: 'dns' })
    for (const { own, path } of sides(orderId)) {
      const { status, body } = await own.get(path)
      expect(status).toBe(200)
      expect(body).toEqual({
        items: [
          {
            ...{ message_id: second, document: 'cancelled', document_id: second, seq: 5, to: null, status: 'queued', stuck: 'dns' },
            ...{ message_ref: null, filename: null, sha256: null, warnings: [], attempts: [] },
            ...{ created_at: '2030-05-01T12:00:00.000Z', due_at: expect.stringMatching(/Z$/) },
          },
          {
            ...{
              message_id: first,
              document: 'confirmed',
              document_id: first,
              seq: 4,
              to: 'billing@acme.example',
              status: 'sent',
              stuck: null,
            },
            ...{ message_ref: `${first}@orders.example`, filename: 'SCX_cable_ext_v1_confirmed.scx', sha256: 'a'.repeat(64) },
            warnings: [{ code: 'NO_ESTIMATE', message: 'The order has no estimate_id.' }],
            ...{ created_at: '2030-05-01T12:00:00.000Z', sent_at: '2030-05-01T12:00:00.000Z' },
            attempts: [
              { at: '2030-05-01T12:00:00.000Z', outcome: 'deferred', code: 451, enhanced: '4.7.1', latency_ms: 12 },
              { at: '2030-05-01T12:01:00.000Z', outcome: 'accepted', code: 250, latency_ms: 9 },
            ],
          },
        ],
        next_cursor: null,
        reason: null,
      })
    }
  })

  it('say why a mail failed, bounced or was skipped', async () => {
    const orderId = await market.placed({ agreement_id: 'agr-edi' })
    await storeMail(market.deps, orderId, { seq: 1, status: 'failed', status_reason: 'refused' })
    await storeMail(market.deps, orderId, { seq: 2, status: 'bounced', status_reason: '5.1.1', bounced_at: '2030-05-01T13:00:00.000Z' })
    await storeMail(market.deps, orderId, { seq: 3, status: 'skipped', status_reason: 'replaced' })
    const { body } = await market.acme.get(`/orders/${orderId}/edi`)
    expect(body.items).toMatchObject([
      { status: 'skipped', status_reason: 'replaced' },
      { status: 'bounced', status_reason: '5.1.1', bounced_at: '2030-05-01T13:00:00.000Z' },
      { status: 'failed', status_reason: 'refused' },
    ])
  })

  it('page through the mails', async () => {
    const orderId = await market.placed({ agreement_id: 'agr-edi' })
    const mails: string[] = []
    for (const seq of [1, 2, 3, 4, 5]) mails.push(await storeMail(market.deps, orderId, { seq }))
    for (const { own, path } of sides(orderId)) {
      const pages = await everyPage(async (cursor) => (await own.get(`${path}?limit=2${cursor}`)).body)
      const read = pages.map(({ items }) => items.map(({ message_id }: { message_id: string }) => message_id))
      expect(read.map(({ length }) => length)).toEqual([2, 2, 1])
      expect(read.flat()).toEqual([...mails].reverse())
    }
  })

  it('return the reason no_agreement or no_address, or null where documents have an address', async () => {
    const without = await market.placed()
    const plain = await market.placed({ agreement_id: 'agr-plain' })
    for (const [orderId, reason] of [[without, 'no_agreement'] as const, [plain, 'no_address'] as const, [order, null] as const]) {
      for (const { own, path } of sides(orderId)) expect((await own.get(path)).body).toEqual({ items: [], next_cursor: null, reason })
    }
  })
})

describe('GET /orders/{order_id}/edi and GET /me/orders/{order_id}/edi: 404', () => {
  it('are the same for another tenant’s order and an unknown one', async () => {
    for (const { stranger, path } of sides(order)) {
      const foreign = await stranger.get(path)
      const unknown = await stranger.get(path.replace(order, 'ord_nothing'))
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
  })
})

describe('GET /orders/{order_id}/edi and GET /me/orders/{order_id}/edi: 422', () => {
  it.each(['limit=0', 'limit=101', 'cursor=forged', 'status=sent'])('refuse %s', async (query) => {
    for (const { own, path } of sides(order)) expect((await own.get(`${path}?${query}`)).status).toBe(422)
  })

  it('refuse the cursor of another order', async () => {
    const other = await market.placed({ agreement_id: 'agr-edi' })
    for (const seq of [1, 2]) await storeMail(market.deps, other, { seq })
    const { body } = await market.acme.get(`/orders/${other}/edi?limit=1`)
    expect((await market.acme.get(`/orders/${order}/edi?limit=1&cursor=${body.next_cursor}`)).status).toBe(422)
  })
})

describe('GET …/edi/{message_id}/document: 200', () => {
  it('is the SCX document as it was sent, as an attachment', async () => {
    const mail = await storeMail(market.deps, order, { seq: 11, scx: '<adx>Ü &#9;</adx>', csv: 'a,b\r\n' })
    for (const { own, path } of sides(order)) {
      for (const query of ['', '?format=scx']) {
        const { status, text, headers } = await own.get(`${path}/${mail}/document${query}`)
        expect([status, text]).toEqual([200, '<adx>Ü &#9;</adx>'])
        expect(headers['content-type']).toBe('application/xml; charset=utf-8')
        expect(headers['content-disposition']).toBe('attachment; filename="SCX_cable_ext_v1_confirmed.scx"')
        expect(headers['x-content-type-options']).toBe('nosniff')
      }
    }
  })

  it('is the csv form with format=csv', async () => {
    const mail = await storeMail(market.deps, order, { seq: 12, csv: 'record_type\r\ninvoice\r\n' })
    const { status, text, headers } = await market.acme.get(`/orders/${order}/edi/${mail}/document?format=csv`)
    expect([status, text]).toEqual([200, 'record_type\r\ninvoice\r\n'])
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="SCX_cable_ext_v1_confirmed.csv"')
  })

  it('is the csv form of a mail that carries nothing else', async () => {
    const mail = await storeMail(market.deps, order, { seq: 13, scx: null, csv: 'record_type\r\n' })
    expect((await market.cable.get(`/me/orders/${order}/edi/${mail}/document`)).headers['content-type']).toBe('text/csv; charset=utf-8')
  })
})

describe('GET …/edi/{message_id}/document: 404', () => {
  it('is the same for an unknown mail, a mail of another order and another tenant’s order', async () => {
    const elsewhere = await market.placed({ agreement_id: 'agr-edi' })
    const mail = await storeMail(market.deps, elsewhere)
    for (const { own, stranger, path } of sides(order)) {
      const [unknown, foreign] = [await own.get(`${path}/edi_nothing/document`), await own.get(`${path}/${mail}/document`)]
      expect([unknown.status, foreign.status, foreign.text]).toEqual([404, 404, unknown.text])
      expect((await stranger.get(`${path}/${mail}/document`)).status).toBe(404)
    }
  })

  it('is answered for a form that the mail does not carry', async () => {
    const mail = await storeMail(market.deps, order, { seq: 14 })
    const { status, body } = await market.acme.get(`/orders/${order}/edi/${mail}/document?format=csv`)
    expect([status, body.error_message]).toEqual([404, 'This mail carries no csv.'])
  })
})

describe('GET …/edi/{message_id}/document: 409', () => {
  it.each([
    ['queued', 'The document is made at the first attempt of its mail.'],
    ['skipped', 'This mail was skipped without a document.'],
  ] as const)('is answered while there is none: %s', async (mailed, message) => {
    const mail = await storeMail(market.deps, order, { seq: mailed === 'queued' ? 15 : 16, status: mailed })
    for (const { own, path } of sides(order)) {
      const { status, body } = await own.get(`${path}/${mail}/document`)
      expect([status, body.error_code, body.error_message, body.details]).toEqual([409, 'INVALID_STATE', message, { status: mailed }])
    }
  })
})

describe('GET …/edi/{message_id}/document: 422', () => {
  it('is answered for an unknown form', async () => {
    const { status, body } = await market.acme.get(`/orders/${order}/edi/edi_1/document?format=pdf`)
    expect([status, body.details.field]).toEqual([422, 'format'])
  })
})
