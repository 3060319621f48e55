import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { renderScx } from '../../../src/adapters/mail/scx.ts'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { checkScx } from '../../../src/domain/edi/checkScx.ts'
import { describeOrder } from '../../../src/domain/edi/describeOrder.ts'
import { cutText, xmlText } from '../../../src/domain/edi/xmlText.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aMessage, NAMES, TERMS } from '../../support/edi/anEdiOrder.ts'
import { type EdiOrder, someEdiOrder, somePlacedLife } from '../../support/edi/someEdiOrder.ts'
import { schemaFault } from '../../support/edi/xsdProfile.ts'

/** `EDI_RUNS=3000` tries thousands. */
const RUNS = Number(process.env.EDI_RUNS ?? 300)
const always = <T>(arbitrary: fc.Arbitrary<T>, promise: (value: T) => void, numRuns = RUNS) =>
  fc.assert(fc.property(arbitrary, promise), { numRuns })
const build = ({ order, message, terms, descriptors }: EdiOrder) => buildScx(order, message, terms, descriptors)

describe('the document of any order, whatever its texts', () => {
  it('passes its own check and the schema, and ties out to the cent', () => {
    always(someEdiOrder, (drawn) => {
      const { tree } = build(drawn)
      expect(checkScx(tree, snapshot(drawn.order).totals.gross)).toEqual([])
      expect(schemaFault(renderScx(tree))).toBeUndefined()
    })
  })

  it('reads back with the ids verbatim but for what XML cannot carry', () => {
    always(someEdiOrder, (drawn) => {
      const { request } = drawn.order
      const { estimate_id = '', advertiser_id, campaign_id = '' } = request.buyer_metadata
      const { tree, warnings } = build(drawn)
      const read = XmlDocument.fromBuffer(renderScx(tree))
      const text = (path: string) => read.get(path)?.content ?? ''
      expect(text('/adx/campaign/estimate/ID/code')).toBe(xmlText(estimate_id))
      expect(text('/adx/campaign/advertiser/ID/code')).toBe(xmlText(advertiser_id))
      expect(text('/adx/campaign/product/ID/code')).toBe(xmlText(campaign_id))
      expect(text('/adx/campaign/key[1]/id')).toBe(xmlText(request.external_order_id))
      expect(text('/adx/campaign/company[1]/name')).toBe(cutText(drawn.descriptors.agency))
      const expected = estimate_id === '' ? ['NO_ESTIMATE'] : xmlText(estimate_id) === estimate_id ? [] : ['ESTIMATE_NOT_REPRESENTABLE']
      expect(warnings).toEqual(expected)
      read.dispose()
    })
  })

  it('is the same bytes each time', () => {
    always(someEdiOrder, (drawn) => expect(renderScx(build(drawn).tree)).toEqual(renderScx(build(structuredClone(drawn)).tree)), 50)
  })

  it('carries what was accepted, in part and after counters too', () => {
    let placed = 0
    always(somePlacedLife, (orders) => {
      for (const order of orders) {
        const { tree } = buildScx(order, aMessage(), TERMS, describeOrder(order, NAMES, []))
        expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
        expect(schemaFault(renderScx(tree))).toBeUndefined()
        placed += 1
      }
    })
    expect(placed).toBeGreaterThan(RUNS / 20)
  })
})
