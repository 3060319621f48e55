import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EdiMail } from '../../src/contract/edi.ts'
import type { OrderSnapshot } from '../../src/contract/order.ts'
import { sameAmount } from '../../src/domain/decimal.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import type { Operations } from '../../src/sdk/ownClient.ts'
import { hasLxml, readMails } from '../support/edi/lxmlReader.ts'
import { until } from '../support/until.ts'
import { openMarket, orderBody, place } from './market.ts'
import { persistentClient } from './persistentClient.ts'
import { type Product, startProduct } from './product.ts'

const present = await hasLxml()
if (!present) process.stderr.write('Python with lxml is missing here: no agency reads the mails of orders.\n')
const withAgency = present ? describe : describe.skip

const AGREEMENT = 'agr-mail'
const ESTIMATE = ' EST-20417 "A&B" ]]> \t é '

withAgency('the mails of an order, as an agency reads them', () => {
  let dataDir: string
  let product: Product
  let seller: Operations
  let buyer: Operations

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'marketplace-mail-'))
    product = await startProduct({ dataDir, port: await freePort() })
    seller = persistentClient(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
    buyer = persistentClient(product.baseUrl, product.credentials.buyers['northlight-media']?.token ?? '')
    await seller.grantAgreement({
      path: { agreement_id: AGREEMENT },
      body: {
        buyer_entity: 'northlight-media',
        effective: { start: '2026-01-01', end: '2030-12-31' },
        edi: { to: 'billing@northlight.example', formats: ['scx', 'csv'] },
      },
    })
  }, 150_000)

  afterAll(async () => {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }, 30_000)

  it('carry the figures of the snapshot and the estimate, placed, revised and canceled, in one thread', async () => {
    const market = await openMarket('summit', seller, buyer)
    const body = (externalOrderId: string, lines: number, more: object = {}) =>
      JSON.stringify({
        ...JSON.parse(orderBody(market, externalOrderId, lines)),
        ...{ agreement_id: AGREEMENT, buyer_metadata: { advertiser_id: 'adv-77', estimate_id: ESTIMATE } },
        ...more,
      })
    const placed = await approved((await place(buyer, body('mail-1', 3))).order_id)
    const confirmed = await mailed(placed.order_id, 'confirmed')
    const revision = await approved((await place(buyer, body('mail-2', 2, { revision: { supersedes: placed.order_id } }))).order_id)
    const revised = await mailed(revision.order_id, 'revised')
    await buyer.cancelOrder({ path: { order_id: revision.order_id }, body: { reason: 'advertiser_postponed' } })
    const cancelled = await mailed(revision.order_id, 'cancelled')

    const read = await fetched()
    expect(
      read.map(({ status, order_id, supersedes, document_id, message_id }) => ({ status, order_id, supersedes, document_id, message_id })),
    ).toEqual([
      { status: 'confirmed', order_id: placed.order_id, supersedes: null, ...idsOf(confirmed) },
      { status: 'revised', order_id: revision.order_id, supersedes: placed.order_id, ...idsOf(revised) },
      { status: 'cancelled', order_id: revision.order_id, supersedes: null, ...idsOf(cancelled) },
    ])
    const [first, second, third] = read.map(({ message_id }) => message_id)
    expect(read.map(({ in_reply_to, references }) => ({ in_reply_to, references }))).toEqual([
      { in_reply_to: null, references: [] },
      { in_reply_to: first, references: [first] },
      { in_reply_to: second, references: [first, second] },
    ])
    expect(new Set([first, second, third]).size).toBe(3)
    for (const [index, order] of [placed, revision, revision].entries()) {
      const found = read[index]
      expect(found).toMatchObject({
        estimate_id: ESTIMATE,
        currency: order.totals.currency,
        to: 'billing@northlight.example',
        has_csv: true,
      })
      expect([found?.gross, sameAmount(found?.gross ?? 0, order.totals.gross)]).toEqual([found?.gross, true])
      for (const { unit_id, allocation } of order.line_items)
        expect(found?.units[unit_id]).toEqual(Object.fromEntries(allocation.map(({ date, units }) => [date, units])))
    }
    const superseded = await log(placed.order_id)
    expect(superseded).toMatchObject([{ document: 'cancelled', status: 'skipped', status_reason: 'replaced' }, { status: 'sent' }])
  }, 90_000)

  it('are sent again as the same document, which the agency reads once', async () => {
    const before = await fetched()
    const [last] = before.slice(-1)
    const path = { order_id: last?.order_id ?? '' }
    const { body: again } = await buyer.resendEdiMail({ path, body: {} })
    await until(async () => (await log(path.order_id))[0]?.status === 'sent')
    expect((await log(path.order_id))[0]).toMatchObject({
      message_id: again.message_id,
      document_id: last?.document_id,
      document: 'cancelled',
    })
    const [resent, sent] = await log(path.order_id)
    expect(resent?.sha256).toBe(sent?.sha256)
    expect(resent?.message_ref).not.toBe(sent?.message_ref)
    expect(await fetched()).toEqual(before)
    expect(await readMails(join(dataDir, 'mail'))).toEqual(before)
  }, 60_000)

  it('are sent, confirmed and then cancelled, when an order is canceled right after its placement', async () => {
    const market = await openMarket('summit', seller, buyer)
    const { order_id } = await place(buyer, JSON.stringify({ ...JSON.parse(orderBody(market, 'mail-3')), agreement_id: AGREEMENT }))
    await reaches(order_id, 'seller_review')
    await seller.decideOrder({ path: { order_id }, body: { decision: 'approve', actor: 'traffic desk' } })
    await buyer.cancelOrder({ path: { order_id }, body: {} })
    await mailed(order_id, 'cancelled')
    const own = (await fetched()).filter((mail) => mail.order_id === order_id)
    expect(own.map(({ status, estimate_id }) => [status, estimate_id])).toEqual([
      ['confirmed', null],
      ['cancelled', null],
    ])
  }, 60_000)

  /** Reads the mails as the agency's own program does, with its token. */
  function fetched() {
    return readMails(product.credentials.base_url, product.credentials.buyers['northlight-media']?.token)
  }

  async function approved(orderId: string): Promise<OrderSnapshot> {
    await reaches(orderId, 'seller_review')
    await seller.decideOrder({ path: { order_id: orderId }, body: { decision: 'approve', actor: 'traffic desk' } })
    return reaches(orderId, 'placed')
  }

  async function reaches(orderId: string, status: string): Promise<OrderSnapshot> {
    const read = async () => (await buyer.getOrder({ path: { order_id: orderId } })).body
    await until(async () => (await read()).status === status, 30)
    return read()
  }

  async function log(orderId: string): Promise<EdiMail[]> {
    return (await seller.listReceivedEdiMails({ path: { order_id: orderId } })).body.items
  }

  async function mailed(orderId: string, document: EdiMail['document']): Promise<EdiMail> {
    const find = async () => (await log(orderId)).find((mail) => mail.document === document && mail.status === 'sent')
    await until(async () => (await find()) !== undefined, 30)
    return (await find()) as EdiMail
  }
})

function idsOf({ document_id, message_ref }: EdiMail) {
  return { document_id, message_id: `<${message_ref}>` }
}
