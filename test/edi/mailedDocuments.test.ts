import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { snapshot } from '../../src/domain/order/snapshot.ts'
import { composeOrderMail } from '../../src/edi/composeOrderMail.ts'
import { openRenderer } from '../../src/edi/renderer.ts'
import { readMail } from '../support/edi/mailServer.ts'
import { FROM, TO } from '../support/edi/orderMail.ts'
import { someEdiOrder } from '../support/edi/someEdiOrder.ts'
import { schemaFault } from '../support/edi/xsdProfile.ts'

const RUNS = Number(process.env.EDI_RUNS ?? 100)
const renderer = openRenderer()
const identity = { from: FROM, returnPath: () => FROM }
afterAll(() => renderer.close())

describe('the mail of any order, whatever its texts', () => {
  it('has one recipient and one document, which is valid and ties out to the cent, and the same bytes at each attempt', async () => {
    await fc.assert(
      fc.asyncProperty(someEdiOrder, async (source) => {
        const rendered = await renderer.render(source)
        if ('invalid' in rendered) throw new Error(rendered.message)
        const mail = { message_id: 'edi_1', created_at: source.message.occurred_at }
        const content = {
          ...rendered,
          document: { document: 'confirmed' },
          to_address: TO,
          sender: FROM,
          message_ref: 'edi_1',
          refs: [],
        } as const
        const frozen = { ...content, terms: source.terms, descriptors: source.descriptors }
        const [composed, again] = await Promise.all([1, 2].map(() => composeOrderMail({ renderer, identity }, mail, frozen)))
        if (composed === undefined || 'invalid' in composed) throw new Error('the mail cannot be composed')
        expect(again).toEqual(composed)

        const read = await readMail(composed)
        expect([read.to, read.cc, read.bcc]).toEqual([[{ address: TO, name: '' }], undefined, undefined])
        expect(read.attachments).toHaveLength(1)
        const bytes = Buffer.from(read.attachments[0]?.content as ArrayBuffer)
        expect(schemaFault(bytes)).toBeUndefined()
        expect(read.header('EDI-SHA256')).toBe(createHash('sha256').update(bytes).digest('hex'))
        const xml = XmlDocument.fromBuffer(bytes)
        const { gross } = snapshot(source.order).totals
        expect(xml.get('/adx/campaign/order/totals/cost')?.content).toBe(gross.toFixed(2))
        xml.dispose()
      }),
      { numRuns: RUNS },
    )
  }, 300_000)
})

describe('a document that cannot be made', () => {
  it('fails alone: what waits for the thread is made', async () => {
    const [source] = fc.sample(someEdiOrder, 1)
    if (source === undefined) throw new Error('no order was drawn')
    const broken = { ...source, order: { ...source.order, lines: undefined } } as unknown as typeof source
    const [first, second] = await Promise.all([renderer.render(broken), renderer.render(source)])
    expect(first).toMatchObject({ invalid: 'thread' })
    expect(second).toHaveProperty('scx')
  })
})
