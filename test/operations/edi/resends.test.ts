import { describe, expect, it } from '@jest/globals'
import { readMail } from '../../support/edi/mailServer.ts'
import { TO } from '../../support/edi/orderMail.ts'
import { useAgreement, useOrderMail } from '../../support/edi/useOrderMail.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)

const OTHER = 'second@agency.example.com'
let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})

const read = async () => {
  const mails = await Promise.all(mail.server.taken.map(async (taken) => ({ to: taken.to, read: await readMail(taken) })))
  return mails.map(({ to, read: { messageId, inReplyTo, header, attachments, subject } }) => ({
    ...{ to, messageId, inReplyTo, document_id: header('EDI-Document-Id'), word: subject?.split(' ')[0] },
    bytes: Buffer.from(attachments[0]?.content as ArrayBuffer),
  }))
}

describe('a document that is sent again', () => {
  it('is the same document under a new Message-ID, in the thread, to the address of now', async () => {
    const orderId = await mail.placed(agreement)
    await mail.close(orderId)
    await mail.sender.send(agreement)
    await mail.agree(agreement, { to: OTHER, formats: ['csv'] })
    const { status, body } = await market.acme.post(`/orders/${orderId}/edi`, {})
    expect(status).toBe(202)
    await mail.sender.send(agreement)
    const [first, second] = await read()
    expect([first?.to, second?.to]).toEqual([[TO], [OTHER]])
    expect(second).toMatchObject({ document_id: first?.document_id, inReplyTo: first?.messageId })
    expect(second?.messageId).toBe(`<${body.message_id}@marketplace.example.com>`)
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
    const { items } = (await market.cable.get(`/me/orders/${orderId}/edi`)).body
    expect(items).toMatchObject([
      { message_id: body.message_id, resend_of: first?.document_id, to: OTHER, status: 'sent' },
      { message_id: first?.document_id, to: TO, status: 'sent' },
    ])
    expect(items[0].sha256).toBe(items[1].sha256)
  })

  it('is kept once, and has the same bytes at every attempt', async () => {
    const orderId = await mail.placed(agreement)
    await mail.sender.send(agreement)
    await market.acme.post(`/orders/${orderId}/edi`, {})
    mail.server.treat(() => ({ responseCode: 451 }))
    await mail.sender.send(agreement)
    mail.server.treat(() => 'accept')
    await mail.makeDue()
    await mail.sender.send(agreement)
    const [first, second] = await read()
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
    const kept = await market
      .owner()
      .query('select from edi_documents where document_id in (select message_id from edi_messages where order_id = $1)', [orderId])
    expect(kept.rowCount).toBe(1)
    const { items } = (await market.acme.get(`/orders/${orderId}/edi`)).body
    const { text } = await market.acme.get(`/orders/${orderId}/edi/${items[0].message_id}/document`)
    expect(text).toBe(first?.bytes.toString())
  })

  it('is that of the order’s state after a cancel, and the earlier one by its id', async () => {
    const orderId = await mail.placed(agreement)
    await mail.close(orderId)
    await mail.sender.send(agreement)
    await mail.cancel(orderId)
    await mail.close(orderId)
    await mail.sender.send(agreement)
    const { items } = (await market.acme.get(`/orders/${orderId}/edi`)).body
    await market.acme.post(`/orders/${orderId}/edi`, {})
    await market.acme.post(`/orders/${orderId}/edi`, { message_id: items[1].message_id })
    await mail.sender.send(agreement)
    expect((await read()).map(({ word }) => word)).toEqual(['CONFIRMED', 'CANCELLED', 'CANCELLED', 'CONFIRMED'])
  })

  it('is the same document where an earlier repeat of it lost its address, and the order was canceled since', async () => {
    const orderId = await mail.placed(agreement)
    await mail.sender.send(agreement)
    const { body: repeat } = await market.acme.post(`/orders/${orderId}/edi`, {})
    await mail.agree(agreement, {})
    await mail.sender.send(agreement)
    await mail.agree(agreement)
    await mail.cancel(orderId)
    await mail.sender.send(agreement)
    expect((await market.acme.get(`/orders/${orderId}/edi`)).body.items[1]).toMatchObject({ status: 'failed', status_reason: 'no_address' })
    expect((await market.acme.post(`/orders/${orderId}/edi`, { message_id: repeat.message_id })).status).toBe(202)
    await mail.sender.send(agreement)
    const [first, cancelled, again] = await read()
    expect([first, cancelled, again].map((one) => one?.word)).toEqual(['CONFIRMED', 'CANCELLED', 'CONFIRMED'])
    expect(again?.document_id).toBe(first?.document_id)
    expect(again?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
  })

  it('does not make a later revision supersede the order of the repeat', async () => {
    const first = await mail.placed(agreement)
    await mail.sender.send(agreement)
    const second = await mail.placed(agreement, { revision: { supersedes: first } })
    await mail.close(first)
    await mail.sender.send(agreement)
    const { items } = (await market.acme.get(`/orders/${first}/edi`)).body
    const confirmed = items.find(({ document }: { document: string }) => document === 'confirmed')
    expect((await market.acme.post(`/orders/${first}/edi`, { message_id: confirmed.message_id })).status).toBe(202)
    await mail.sender.send(agreement)
    await mail.placed(agreement, { revision: { supersedes: second } })
    await mail.sender.send(agreement)
    const [last] = (await mail.messages(agreement)).filter(({ status }) => status === 'sent').slice(-1)
    expect(last).toMatchObject({ document: 'revised', supersedes: second })
  })

  it('has the same bytes also after a mail that found no address, and a version that renders other bytes', async () => {
    const orderId = await mail.placed(agreement)
    const [{ message_id = '' } = {}] = await mail.messages(agreement)
    await mail.sender.send(agreement)
    await market.owner().query(`update edi_documents set scx = scx || '<!-- earlier -->'::bytea where document_id = $1`, [message_id])
    const { body: lost } = await market.acme.post(`/orders/${orderId}/edi`, {})
    await mail.agree(agreement, {})
    await mail.sender.send(agreement)
    await mail.agree(agreement)
    expect((await market.acme.post(`/orders/${orderId}/edi`, { message_id: lost.message_id })).status).toBe(202)
    await mail.sender.send(agreement)
    const [first, again] = await read()
    expect(again?.document_id).toBe(first?.document_id)
    expect(again?.bytes.toString()).toBe(`${first?.bytes}<!-- earlier -->`)
  })

  it('goes where the first mail was refused, once the address is corrected', async () => {
    const orderId = await mail.placed(agreement)
    await mail.close(orderId)
    mail.server.refuseRecipients(550)
    await mail.sender.send(agreement)
    mail.server.refuseRecipients(undefined)
    await mail.agree(agreement, { to: OTHER })
    expect((await market.cable.get(`/me/orders/${orderId}/edi`)).body.items).toMatchObject([
      { status: 'failed', status_reason: 'refused', to: TO },
    ])
    expect((await market.cable.post(`/me/orders/${orderId}/edi`, {})).status).toBe(202)
    await mail.sender.send(agreement)
    expect((await read()).map(({ to, word }) => [to, word])).toEqual([[[OTHER], 'CONFIRMED']])
  })
})

describe('the document of an order that was placed before its agreement had an address', () => {
  it('goes when it is asked for, and its cancel goes after it by itself', async () => {
    await mail.agree(agreement, {})
    const orderId = await mail.placed(agreement)
    await mail.close(orderId)
    await mail.agree(agreement)
    await mail.sender.send(agreement)
    expect(mail.server.taken).toEqual([])
    expect((await market.acme.post(`/orders/${orderId}/edi`, {})).status).toBe(202)
    await mail.sender.send(agreement)
    await mail.cancel(orderId)
    await mail.close(orderId)
    await mail.sender.send(agreement)
    expect((await read()).map(({ word }) => word)).toEqual(['CONFIRMED', 'CANCELLED'])
  })
})

describe('the document of an order that is not closed yet', () => {
  it('keeps its place in the thread: its closing queues it, also where it is asked for first', async () => {
    const first = await market.placed({ agreement_id: agreement })
    const second = await market.placed({ agreement_id: agreement, revision: { supersedes: first } })
    expect((await market.acme.post(`/orders/${second}/edi`, {})).body.error_code).toBe('INVALID_STATE')
    await mail.close(second)
    await mail.close(first)
    await mail.sender.send(agreement)
    expect((await read()).map(({ word }) => word)).toEqual(['CONFIRMED', 'REVISED'])
  })
})

describe('the cancel of an order whose agreement had no address then', () => {
  it('goes when the document of the order’s state is asked for', async () => {
    const orderId = await mail.placed(agreement)
    await mail.sender.send(agreement)
    await mail.agree(agreement, {})
    await mail.cancel(orderId)
    await mail.agree(agreement)
    const { status, body } = await market.acme.post(`/orders/${orderId}/edi`, {})
    expect([status, body.document, body.resend_of]).toEqual([202, 'cancelled', undefined])
    await mail.sender.send(agreement)
    expect((await read()).map(({ word }) => word)).toEqual(['CONFIRMED', 'CANCELLED'])
    await market.cable.post(`/me/orders/${orderId}/edi`, {})
    await mail.sender.send(agreement)
    const [, cancelled, again] = await read()
    expect(again?.document_id).toBe(cancelled?.document_id)
  })
})
