import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { EdiMessage } from '../../../src/domain/edi/buildScx.ts'
import { mailFields } from '../../../src/domain/edi/mailFields.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from '../../support/edi/anEdiOrder.ts'
import { HOSTILE_TEXTS, someEdiOrder } from '../../support/edi/someEdiOrder.ts'
import type { OrderChanges } from '../../support/orders/anOrder.ts'

const fields = (changes: OrderChanges = {}, message: Partial<EdiMessage> = {}) => {
  const { order, descriptors } = aPlacedOrder(changes)
  return mailFields(order, aMessage(message), TERMS, descriptors)
}
const METADATA = { advertiser_id: 'adv-1', estimate_id: 'est-1' }

describe('the subject of a mail', () => {
  it('says what happened to which order under which estimate', () => {
    expect(fields({ buyer_metadata: METADATA }).subject).toBe('CONFIRMED ext-1 v1 EST est-1 seller_one')
    expect(fields({}, { event: 'canceled' }).subject).toBe('CANCELLED ext-1 v1 seller_one')
  })
  it('shortens an id to 60 code points', () => {
    const { subject } = fields({ buyer_metadata: { ...METADATA, estimate_id: '\u{1f600}'.repeat(300) } })
    expect(subject).toBe(`CONFIRMED ext-1 v1 EST ${'\u{1f600}'.repeat(59)}… seller_one`)
  })
  it('is one line, whatever the ids', () => {
    const { subject } = fields({ external_order_id: 'a\r\nBcc: evil@example.com\u202e', buyer_metadata: METADATA })
    expect(subject).toBe('CONFIRMED a Bcc: evil@example.com v1 EST est-1 seller_one')
  })
})

describe('the file name of a document', () => {
  it('has seller, order, version and status', () => {
    expect(fields({ external_order_id: 'ext.9' }).fileStem).toBe('SCX_seller_one_ext.9_v1_confirmed')
  })
  it.each(HOSTILE_TEXTS)('is safe and short for %j', (external_order_id) => {
    const { fileStem } = fields({ external_order_id })
    expect(fileStem).toMatch(/^SCX_seller_one_[A-Za-z0-9._-]*_v1_confirmed$/)
    expect(fileStem).not.toContain('..')
    expect(`${fileStem}.scx`.length).toBeLessThanOrEqual(100)
  })
})

describe('the text of a mail', () => {
  it('has ids, dates, lines and totals', () => {
    const { text } = fields({ lines: EXAMPLE_LINES, buyer_metadata: METADATA }, { event: 'placed' })
    expect(text).toBe(
      [
        'CONFIRMED order ext-1, version 1',
        '',
        'Order: ord_1',
        'Seller: Seller One (seller_one)',
        'Buyer: Agency One (buyer_one)',
        "Seller's order: so_platform",
        'Estimate: est-1',
        'Advertiser: adv-1',
        'Campaign: none',
        'Agreement: agr_one',
        'Air dates: 2027-02-01 to 2027-04-02',
        '',
        'unit_1: CBL, Prime, 8 x 30 s, 33600.00 USD',
        'unit_2: CBL, Prime, 16 x 30 s, 20846.80 USD',
        '',
        'Total: 24 spots, 54446.80 USD',
        '',
      ].join('\n'),
    )
  })
  it('has as many lines as it says, whatever the names, under a subject of one line and a safe file name', () => {
    fc.assert(
      fc.property(someEdiOrder, ({ order, message, terms, descriptors }) => {
        const { subject, fileStem, text, headers } = mailFields(order, message, terms, descriptors)
        expect(subject).toMatch(/^[^\p{Cc}]{1,300}$/u)
        expect(fileStem).toMatch(/^SCX_[A-Za-z0-9._-]{1,91}$/)
        const lines = text.split(/[\n\r\u0085\u2028\u2029]/)
        expect(lines).toHaveLength((message.supersedes === undefined ? 15 : 16) + order.lines.length)
        for (const value of Object.values(headers)) expect(value).toMatch(/^[^\p{Cc}]{1,200}$/u)
      }),
      { numRuns: 60 },
    )
  })
})
