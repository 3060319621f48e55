import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { composeMail, mimeOf, type OrderMail } from '../../src/adapters/mail/composeMail.ts'
import { renderScx } from '../../src/adapters/mail/scx.ts'
import { buildScx } from '../../src/domain/edi/buildScx.ts'
import { mailFields } from '../../src/domain/edi/mailFields.ts'
import { aMessage, aPlacedOrder, TERMS } from '../support/edi/anEdiOrder.ts'
import { HOSTILE_TEXTS } from '../support/edi/someEdiOrder.ts'

function aMail(more: Partial<OrderMail> = {}, estimate_id = 'est-1', external_order_id = 'ext-1'): OrderMail {
  const { order, descriptors } = aPlacedOrder({ external_order_id, buyer_metadata: { advertiser_id: 'adv-1', estimate_id } })
  const { subject, text, headers, fileStem } = mailFields(order, aMessage(), TERMS, descriptors)
  const content = renderScx(buildScx(order, aMessage(), TERMS, descriptors).tree)
  return {
    message_id: 'edi_1',
    references: [],
    date: new Date('2026-11-02T09:05:00.000Z'),
    from: 'orders@market.example.com',
    to: 'billing@agency.example.com',
    envelopeFrom: 'edi+edi_1.0123456789@bounces.example.com',
    subject,
    text,
    headers: { ...headers, 'EDI-SHA256': 'a'.repeat(64) },
    documents: [{ filename: `${fileStem}.scx`, contentType: 'application/xml', content }],
    ...more,
  }
}
const compose = async (mail: OrderMail) => {
  const { raw, envelope } = await composeMail(mail)
  return { raw, envelope, read: await PostalMime.parse(raw) }
}
const bytes = (content: unknown) => Buffer.from(content as ArrayBuffer)

describe('composeMail', () => {
  it('has the headers that a receiver files it by', async () => {
    const { read, envelope } = await compose(aMail())
    expect(read.messageId).toBe('<edi_1@market.example.com>')
    expect(read.from).toEqual({ address: 'orders@market.example.com', name: '' })
    expect(read.to).toEqual([{ address: 'billing@agency.example.com', name: '' }])
    expect(read.date).toBe('2026-11-02T09:05:00.000Z')
    expect(envelope).toEqual({ from: 'edi+edi_1.0123456789@bounces.example.com', to: ['billing@agency.example.com'] })
    const headers = Object.fromEntries(read.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'edi-document-id': 'edi_1',
      'edi-order-id': 'ord_1',
      'edi-estimate-id': 'est-1',
      'edi-sha256': 'a'.repeat(64),
    })
    expect(headers).not.toHaveProperty('references')
  })

  it('folds no header that is plain text, however long', async () => {
    const { raw } = await compose(aMail({}, `est ${'x'.repeat(150)}`))
    const lines = raw.toString('latin1').split('\r\n')
    expect(lines).toEqual(expect.arrayContaining([`Edi-Sha256: ${'a'.repeat(64)}`, `Edi-Estimate-ID: est ${'x'.repeat(150)}`]))
  })

  it('answers the last mail of its thread', async () => {
    const { read } = await compose(aMail({ references: ['edi_a@market.example.com', 'edi_b@market.example.com'] }))
    expect([read.inReplyTo, read.references]).toEqual([
      '<edi_b@market.example.com>',
      '<edi_a@market.example.com> <edi_b@market.example.com>',
    ])
  })

  it('carries the bytes of every document', async () => {
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
    const mail = aMail()
    const documents = [...mail.documents, { filename: 'SCX_a.csv', contentType: 'text/csv' as const, content }]
    const { read } = await compose({ ...mail, documents })
    expect(read.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition])).toEqual([
      ['SCX_seller_one_ext-1_v1_confirmed.scx', 'application/xml', 'attachment'],
      ['SCX_a.csv', 'text/csv', 'attachment'],
    ])
    expect(read.attachments.map((attachment) => bytes(attachment.content))).toEqual(documents.map((document) => document.content))
  })

  it('is the same bytes on every attempt', async () => {
    const [first, again] = [await compose(aMail()), await compose(aMail())]
    expect(again.raw.equals(first.raw)).toBe(true)
    expect((await compose(aMail({ message_id: 'edi_2' }))).raw.equals(first.raw)).toBe(false)
  })

  it.each(HOSTILE_TEXTS)('has no header, recipient or part more for an order with %j in its ids', async (text) => {
    const sound = await compose(aMail())
    const { raw, read, envelope } = await compose(aMail({}, `est${text}`, `ext${text}`))
    expect(read.headers.map(({ key }) => key)).toEqual(sound.read.headers.map(({ key }) => key))
    expect(envelope).toEqual(sound.envelope)
    expect(read.attachments).toHaveLength(1)
    expect([read.to, read.cc, read.bcc]).toEqual([sound.read.to, undefined, undefined])
    // Every line of the head is ASCII and ends in CRLF, and none is longer than SMTP takes.
    const head = raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
    for (const line of head.split('\r\n')) expect(line).toMatch(/^[\t\x20-\x7e]{1,998}$/)
  })

  it.each([
    ['as it is', {}],
    ['in a thread', { references: ['edi_a@market.example.com', 'edi_b@market.example.com'] }],
    ['with a text in UTF-8', { text: 'Agency: Zürich 東京 \u{1f600}\nx \n' }],
    ['with lines that are broken', { text: `${'word '.repeat(60)}\n${'x'.repeat(200)}\n${'é'.repeat(90)}\n` }],
    ['with a text of thousands of lines', { text: 'unit_1: Network é, Title of a program, 5 x 30 s, 6252.50 USD\n'.repeat(3_000) }],
    ['with a text without an end of line', { text: `${'word '.repeat(13)}é  ` }],
    ['with line ends of every kind', { text: 'a\rb\nc\r\nd\r\r\ne\n\n.\n' }],
    ['with an empty document', { documents: [{ filename: 'a.scx', contentType: 'application/xml', content: Buffer.alloc(0) }] }],
    [
      'with lines of base64 that end with it',
      { documents: [{ filename: 'a.scx', contentType: 'application/xml', content: Buffer.alloc(57 * 3) }] },
    ],
  ] satisfies [string, Partial<OrderMail>][])('is the bytes that the library makes by its streams, %s', async (_, more) => {
    const mail = aMail(more)
    expect((await composeMail(mail)).raw.toString('latin1')).toBe((await mimeOf(mail).build()).toString('latin1'))
  })

  it('is the bytes that the library makes by its streams, whatever the words and the documents', async () => {
    const some = fc.record({
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
      content: fc.uint8Array({ maxLength: 400 }),
    })
    const same = async ({ text, content }: { text: string; content: Uint8Array }) => {
      const documents = [{ filename: 'a.scx', contentType: 'application/xml' as const, content: Buffer.from(content) }]
      const mail = aMail({ subject: text.slice(0, 60), text: `${text}\n`, documents })
      expect((await composeMail(mail)).raw.toString('latin1')).toBe((await mimeOf(mail).build()).toString('latin1'))
    }
    await fc.assert(fc.asyncProperty(some, same), { numRuns: 200 })
  })

  it('reads neither files nor URLs, whatever a document says', async () => {
    const content = { path: '/etc/passwd' } as unknown as Buffer
    const mail = aMail({ documents: [{ filename: 'a.scx', contentType: 'application/xml', content }] })
    await expect(composeMail(mail)).rejects.toThrow()
  })
})

describe('an envelope address', () => {
  it.each(['x@y>\r\nRCPT TO:<evil@x', 'a@b.example, c@d.example', '"a b"@c.example', 'a@[127.0.0.1]', '<a@b.example>', ''])(
    'like %j is refused',
    async (address) => {
      await expect(composeMail(aMail({ to: address }))).rejects.toThrow(RangeError)
      await expect(composeMail(aMail({ from: address }))).rejects.toThrow(RangeError)
      await expect(composeMail(aMail({ envelopeFrom: address }))).rejects.toThrow(RangeError)
    },
  )
})
