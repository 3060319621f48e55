import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { openRenderer } from '../../../src/operations/edi/renderer.ts'
import { scale } from '../../attack/support/scale.ts'
import { readMail } from '../../support/edi/mailServer.ts'
import { FROM, TO } from '../../support/edi/orderMail.ts'
import { someEdiOrder } from '../../support/edi/someEdiOrder.ts'
import { schemaFault } from '../../support/edi/xsdProfile.ts'
import { sha256Of } from '../../support/files/uploads.ts'

const RUNS = Number(process.env.EDI_RUNS ?? scale(40, 100))
const renderer = openRenderer()
const MAIL = { message_id: 'edi_1', references: [], date: new Date('2030-01-01T00:00:00Z'), from: FROM, to: TO, envelopeFrom: FROM }
afterAll(() => renderer.close())

describe('the mail of any order, whatever its texts', () => {
  it('has one recipient and one document, which is valid and ties out to the cent, and the same bytes at each attempt', async () => {
    await fc.assert(
      fc.asyncProperty(someEdiOrder, async (source) => {
        const made = await renderer.make({ mail: MAIL, from: { source } })
        if ('invalid' in made) throw new Error(made.message)
        const { document, composed } = made
        expect(await renderer.make({ mail: MAIL, from: { document } })).toEqual(made)

        const read = await readMail(composed)
        expect([read.to, read.cc, read.bcc]).toEqual([[{ address: TO, name: '' }], undefined, undefined])
        expect(read.attachments).toHaveLength(1)
        const bytes = Buffer.from(read.attachments[0]?.content as ArrayBuffer)
        expect(schemaFault(bytes)).toBeUndefined()
        expect(read.header('EDI-SHA256')).toBe(sha256Of(bytes))
        const xml = XmlDocument.fromBuffer(bytes)
        const { gross } = snapshot(source.order).totals
        expect(xml.get('/adx/campaign/order/totals/cost')?.content).toBe(gross.toFixed(2))
        xml.dispose()
      }),
      { numRuns: RUNS },
    )
  }, 300_000)
})

describe('a document', () => {
  it('that cannot be made fails alone: what waits for the thread is made', async () => {
    const [source] = fc.sample(someEdiOrder, 1)
    if (source === undefined) throw new Error('no order was drawn')
    const broken = { ...source, order: { ...source.order, lines: undefined } } as unknown as typeof source
    const [first, second] = await Promise.all([broken, source].map((from) => renderer.make({ mail: MAIL, from: { source: from } })))
    expect(first).toMatchObject({ invalid: 'thread' })
    expect(second).toHaveProperty('composed')
  })
  it('is the same whatever else waits for the thread', async () => {
    const sources = fc.sample(someEdiOrder, 10)
    const make = (source: (typeof sources)[number]) => renderer.make({ mail: MAIL, from: { source } })
    const alone = []
    for (const source of sources) alone.push(await make(source))
    expect(await Promise.all(sources.map(make))).toEqual(alone)
  })

  it('that ends the thread is lost alone, also when others wait for the thread', async () => {
    const [source] = fc.sample(someEdiOrder, 1)
    if (source === undefined) throw new Error('no order was drawn')
    const tight = openRenderer({ longestMs: 60_000, heapMib: 48 })
    const larger = { ...source, padding: Array.from({ length: 750_000 }, (_, index) => ({ index })) }
    const made = await Promise.allSettled([source, larger, source].map((from) => tight.make({ mail: MAIL, from: { source: from } })))
    await tight.close()
    expect(made).toMatchObject([{ value: { composed: {} } }, { reason: { name: 'TaskLost' } }, { value: { composed: {} } }])
  }, 60_000)
})
