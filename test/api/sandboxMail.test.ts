import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { storeMail } from '../support/edi/storedMails.ts'
import { download } from '../support/http/download.ts'
import { receiveMail } from '../support/mail/receiveMail.ts'
import { type Market, startMarket } from '../support/market.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let order: string
/** Ids of mails of that order, oldest first; the second was received twice. */
let mails: [string, string, string]

beforeAll(async () => {
  order = await market.parked()
  const [one, two] = [await storeMail(market.deps, order, { seq: 1 }), await storeMail(market.deps, order, { seq: 2 })]
  mails = [
    await receiveMail(market, one, 1_800_000_000_000),
    await receiveMail(market, two, 1_800_000_001_000),
    await receiveMail(market, two, 1_800_000_002_000),
  ]
  await receiveMail(market, 'other', 1_800_000_003_000)
  await receiveMail(market, 'edi_00000000000000000000000000', 1_800_000_004_000)
})

describe('GET /sandbox/mail: 200', () => {
  it('lists the mails of the reader’s orders for both sides, newest first', async () => {
    for (const side of [market.acme, market.cable]) {
      const { status, body } = await side.get('/sandbox/mail')
      expect([status, body.items.map(({ mail_id }: { mail_id: string }) => mail_id)]).toEqual([200, [...mails].reverse()])
      expect(body.items[2]).toEqual({
        ...{ mail_id: mails[0], message_id: mails[0].split('-')[2], order_id: order },
        ...{ to: 'billing@acme.example', subject: 'CONFIRMED', received_at: '2027-01-15T08:00:00.000Z' },
      })
    }
  })

  it('pages', async () => {
    const first = await market.acme.get('/sandbox/mail?limit=2')
    const second = await market.acme.get(`/sandbox/mail?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`)
    const ids = [...first.body.items, ...second.body.items].map(({ mail_id }: { mail_id: string }) => mail_id)
    expect([ids, second.body.next_cursor]).toEqual([[...mails].reverse(), null])
  })

  it('shows the mails of one order', async () => {
    const other = await market.parked()
    const mail = await receiveMail(market, await storeMail(market.deps, other), 1_800_000_005_000)
    expect((await market.acme.get(`/sandbox/mail?order_id=${other}`)).body.items).toMatchObject([{ mail_id: mail, order_id: other }])
    expect((await market.acme.get('/sandbox/mail?order_id=ord_none')).body.items).toEqual([])
  })

  it('shows others nothing', async () => {
    for (const stranger of [market.zenith, market.station]) expect((await stranger.get('/sandbox/mail')).body.items).toEqual([])
  })
})

describe('GET /sandbox/mail/{mail_id}: 200', () => {
  it('returns the mail byte for byte, as it was received', async () => {
    const { body, headers } = await download(market, market.acme, `/sandbox/mail/${mails[0]}`)
    expect(headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${mails[0]}.eml"`,
      'x-content-type-options': 'nosniff',
    })
    expect(body.toString('latin1').endsWith('\r\n\r\nbyte \x00\xff for byte\r\n')).toBe(true)
  })
})

describe('GET /sandbox/mail/{mail_id}: 404', () => {
  it('is the answer to strangers, and for any other name', async () => {
    for (const stranger of [market.zenith, market.station]) expect((await stranger.get(`/sandbox/mail/${mails[0]}`)).status).toBe(404)
    const names = ['x', `${mails[0]}x`, '1800000003000-000000-other', '1800000004000-000000-edi_00000000000000000000000000']
    const paths = ['..%2Fsecrets.key', `..%2Fmail%2F${mails[0]}`, `${mails[0]}.eml`]
    for (const name of [...names, ...paths]) expect([name, (await market.acme.get(`/sandbox/mail/${name}`)).status]).toEqual([name, 404])
  })
})

describe('/sandbox/mail in production: 404', () => {
  let production: Market
  beforeAll(async () => {
    production = await startMarket({ mode: 'production', mail: market.deps.mail })
  })
  afterAll(() => production.stop())

  it('is the answer to everybody', async () => {
    const id = await receiveMail(production, await storeMail(production.deps, await production.parked()), 1_800_000_000_000)
    for (const path of ['/sandbox/mail', `/sandbox/mail/${id}`])
      expect([path, (await production.acme.get(path)).body.error_code]).toEqual([path, 'NOT_FOUND'])
  })
})

describe('/sandbox/mail without a mailbox', () => {
  it('is empty', async () => {
    const other = await startMarket()
    try {
      expect((await other.acme.get('/sandbox/mail')).body).toEqual({ items: [], next_cursor: null })
    } finally {
      await other.stop()
    }
  })
})
