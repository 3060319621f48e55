import { describe, expect, it } from '@jest/globals'
import { XmlDocument } from 'libxml2-wasm'
import { readMail } from '../../support/edi/mailServer.ts'
import { errors, FROM, TO } from '../../support/edi/orderMail.ts'
import { useAgreement, useOrderMail } from '../../support/edi/useOrderMail.ts'
import { schemaFault } from '../../support/edi/xsdProfile.ts'
import { sha256Of } from '../../support/files/uploads.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)

let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})
const send = () => mail.sender.send(agreement)
const told = () => mail.outcomes(agreement)
const subjects = async () => (await Promise.all(mail.server.taken.map(readMail))).map(({ subject }) => subject?.split(' ')[0])

describe('a placed order under an agreement with a mail address', () => {
  it('is mailed once, with its document, to that address', async () => {
    const order_id = await mail.placed(agreement, { buyer_metadata: { advertiser_id: 'adv-1', estimate_id: 'E&1 "x"' } })
    await mail.close(order_id)
    const state = await send()
    expect(state).toMatchObject({ at: null, waiting: 0, stuck: null })
    expect(mail.server.taken).toHaveLength(1)
    const [taken] = mail.server.taken
    const [message] = await mail.messages(agreement)
    const read = await readMail(taken as { raw: Buffer })
    expect(taken).toMatchObject({ from: `edi+${message?.message_id}.0123456789@bounces.example.com`, to: [TO] })
    expect(read.from).toMatchObject({ address: FROM })
    expect(read.messageId).toBe(`<${message?.message_id}@marketplace.example.com>`)
    expect([read.header('EDI-Order-Id'), read.header('EDI-Document-Id')]).toEqual([order_id, message?.message_id])
    const [document] = read.attachments
    const bytes = Buffer.from(document?.content as ArrayBuffer)
    expect(schemaFault(bytes)).toBeUndefined()
    expect(read.header('EDI-SHA256')).toBe(sha256Of(bytes))
    const xml = XmlDocument.fromBuffer(bytes)
    expect(xml.get('/adx/campaign/estimate/ID/code')?.content).toBe('E&1 "x"')
    const { totals } = (await market.snapshot(order_id)) as unknown as { totals: { gross: number } }
    expect(Number(xml.get('/adx/campaign/order/totals/cost')?.content)).toBe(totals.gross)
    xml.dispose()
    expect(message).toMatchObject({ status: 'sent', to_address: TO, sha256: read.header('EDI-SHA256'), filename: document?.filename })
    expect(await mail.attempts(message?.message_id as string)).toEqual([{ n: 1, outcome: 'accepted', reason: null, code: 250 }])
  })

  it.each([[['scx', 'csv']], [['csv']]])('has the forms that the agreement asks for: %j', async (formats) => {
    await mail.agree(agreement, { to: TO, formats })
    await mail.placed(agreement)
    await send()
    const read = await readMail(mail.server.taken[0] as { raw: Buffer })
    expect(read.attachments.map(({ filename }) => filename?.split('.').at(-1))).toEqual(formats)
    const [first] = read.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))
    expect(read.header('EDI-SHA256')).toBe(sha256Of(first as Buffer))
  })

  it('is not mailed without an address, nor under no agreement', async () => {
    await mail.agree(agreement, {})
    await mail.placed(agreement)
    const bare = await market.placed()
    await mail.close(bare)
    expect(await mail.messages(agreement)).toEqual([])
    expect((await market.owner().query('select from edi_messages where order_id = $1', [bare])).rowCount).toBe(0)
  })

  it('is mailed to the address of the first attempt, and fails as no_address when there is none then', async () => {
    await mail.placed(agreement)
    await mail.agree(agreement, { to: 'other@agency.example.com' })
    await send()
    expect(mail.server.taken.map(({ to }) => to)).toEqual([['other@agency.example.com']])
    await mail.placed(agreement)
    await mail.agree(agreement, {})
    await send()
    expect(await told()).toEqual([
      ['confirmed', 'sent', null],
      ['confirmed', 'failed', 'no_address'],
    ])
  })
})

describe('a cancel after placement', () => {
  it('is mailed after the placement when both wait, in its thread', async () => {
    const order_id = await mail.placed(agreement)
    await mail.cancel(order_id)
    await send()
    expect(await subjects()).toEqual(['CONFIRMED', 'CANCELLED'])
    const [placed, canceled] = await Promise.all(mail.server.taken.map(readMail))
    expect(canceled?.inReplyTo).toBe(placed?.messageId)
    expect(await told()).toEqual([
      ['confirmed', 'sent', null],
      ['cancelled', 'sent', null],
    ])
  })

  it('is mailed with the content as last sent, whatever the catalog and the agreement say since', async () => {
    const order_id = await mail.placed(agreement)
    await send()
    await mail.agree(agreement, { to: TO, buy_type: 'weekly', nsi_id: 501 })
    await market
      .owner()
      .query(`update products set body = jsonb_set(body::jsonb, '{definition,selling_title}', '"Other"') where product_id = 'prime'`)
    await mail.cancel(order_id)
    await send()
    const [placed, canceled] = await Promise.all(
      mail.server.taken.map(async (taken) => Buffer.from((await readMail(taken)).attachments[0]?.content as ArrayBuffer).toString()),
    )
    const body = (xml = '') => xml.slice(xml.indexOf('<systemOrder>'))
    expect(body(canceled)).toBe(body(placed))
    expect(canceled).toContain('<status>cancelled</status>')
    expect(canceled).not.toContain('weekly')
  })

  it('is skipped when nothing of the order can have gone', async () => {
    mail.server.refuseRecipients(550)
    const order_id = await mail.placed(agreement)
    await mail.cancel(order_id)
    await send()
    expect(await told()).toEqual([
      ['confirmed', 'failed', 'refused'],
      ['cancelled', 'skipped', 'nothing_sent'],
    ])
  })
})

describe('a revision that is placed', () => {
  const revised = async (first: string) => {
    const second = await mail.placed(agreement, { revision: { supersedes: first } })
    await mail.close(first)
    return second
  }

  it('is revised when the order that it supersedes went, and no cancel of that one is mailed', async () => {
    const first = await mail.placed(agreement)
    await send()
    await revised(first)
    await send()
    expect(await subjects()).toEqual(['CONFIRMED', 'REVISED'])
    const text = Buffer.from((await readMail(mail.server.taken[1] as { raw: Buffer })).attachments[0]?.content as ArrayBuffer).toString()
    expect(text).toContain('SupersedesOrderID')
    expect(text).toContain(first)
    expect(await told()).toEqual([
      ['confirmed', 'sent', null],
      ['revised', 'sent', null],
      ['cancelled', 'skipped', 'replaced'],
    ])
  })

  it('goes behind the order that it supersedes when neither went before, whichever is closed first', async () => {
    const first = await market.placed({ agreement_id: agreement })
    const second = await market.placed({ agreement_id: agreement, revision: { supersedes: first } })
    await mail.close(second)
    await mail.close(first)
    await send()
    expect(await subjects()).toEqual(['CONFIRMED', 'REVISED'])
    expect((await mail.messages(agreement)).map(({ order_id }) => order_id)).toEqual([first, second, first])
  })

  it('is confirmed when the mail of the order that it supersedes was refused', async () => {
    mail.server.refuseRecipients(550)
    const first = await mail.placed(agreement)
    await send()
    mail.server.refuseRecipients(undefined)
    await revised(first)
    await send()
    expect(await told()).toEqual([
      ['confirmed', 'failed', 'refused'],
      ['confirmed', 'sent', null],
      ['cancelled', 'skipped', 'nothing_sent'],
    ])
  })
})

describe('a mail server that does not take a mail', () => {
  it.each([
    [{ responseCode: 451 }, 'queued', 'deferred'],
    ['cut', 'queued', 'unreachable'],
    [{ responseCode: 554 }, 'failed', 'refused'],
  ] as const)('with %j leaves it %s', async (treatment, status, outcome) => {
    mail.server.treat(() => treatment)
    await mail.placed(agreement)
    const state = await send()
    const [message] = await mail.messages(agreement)
    expect([message?.status, (await mail.attempts(message?.message_id as string))[0]?.outcome]).toEqual([status, outcome])
    expect(state.waiting).toBe(status === 'queued' ? 1 : 0)
    const minutes = state.at === null ? null : Math.round((Date.parse(state.at) - Date.now()) / 60_000)
    expect(minutes).toBe(status === 'queued' ? 1 : null)
    await mail.makeDue()
    mail.server.treat(() => 'accept')
    await send()
    if (status === 'queued') expect(mail.server.taken).toEqual([mail.server.read[0]])
  })

  it('gets the same bytes at each attempt', async () => {
    mail.server.treat(() => 'cut')
    await mail.placed(agreement)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await send()
      await mail.makeDue()
    }
    const [first, ...later] = mail.server.read
    expect(later).toEqual([first, first])
    const [message] = await mail.messages(agreement)
    expect(message).toMatchObject({ status: 'queued', attempts: 3, stuck: 'connect' })
    expect(await send()).toMatchObject({ waiting: 1, stuck: 'connect', seller: 'cable', buyer_entity: 'acme' })
  })

  it('delays the thread of the mail alone', async () => {
    mail.server.treat(({ raw }) => (raw.includes('v1 ') && raw.includes('ext-held') ? { responseCode: 451 } : 'accept'))
    const held = await mail.placed(agreement, { external_order_id: `ext-held-${agreement}` })
    await mail.cancel(held)
    await mail.placed(agreement)
    const state = await send()
    expect(await told()).toEqual([
      ['confirmed', 'queued', null],
      ['cancelled', 'queued', null],
      ['confirmed', 'sent', null],
    ])
    expect(Date.parse(state.at as string)).toBeGreaterThan(Date.now() + 30_000)
  })
})

describe('a document that fails its own check', () => {
  it('is failed, logged as an error, and holds up no other', async () => {
    const broken = await mail.placed(agreement)
    await market
      .owner()
      .query(`update agreements set body = jsonb_set(body::jsonb, '{edi,syscode}', '"no"') where agreement_id = $1`, [agreement])
    await send()
    expect((await told())[0]).toEqual(['confirmed', 'failed', expect.stringMatching(/^invalid_document:\/adx\/.*syscode/)])
    expect(errors.at(-1)?.message).toBe('an order document fails its own check and is not sent')
    const { body: mails } = await market.cable.get(`/me/orders/${broken}/edi`)
    const [{ message_id, status_reason }] = mails.items
    expect(mails.items).toMatchObject([{ status: 'failed', status_reason: expect.stringMatching(/^invalid_document:/) }])
    const { body: health } = await market.operations.get('/ops/health')
    expect(health.mail_faults[0]).toMatchObject({ message_id, order_id: broken, seller: 'cable', status_reason })
    expect(mail.server.taken).toEqual([])
    await mail.agree(agreement)
    await mail.cancel(broken)
    await mail.placed(agreement)
    await send()
    expect((await told()).slice(1)).toEqual([
      ['cancelled', 'skipped', 'nothing_sent'],
      ['confirmed', 'sent', null],
    ])
  })
})
