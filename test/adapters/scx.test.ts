import { describe, expect, it } from '@jest/globals'
import { XMLParser } from 'fast-xml-parser'
import { renderScx } from '../../src/adapters/mail/scx.ts'
import { buildScx } from '../../src/domain/edi/buildScx.ts'
import { aMessage, aPlacedOrder, TERMS } from '../support/edi/anEdiOrder.ts'

const documentOf = (estimate_id: string) => {
  const { order, descriptors } = aPlacedOrder({ buyer_metadata: { advertiser_id: 'adv-1', estimate_id } })
  return renderScx(buildScx(order, aMessage(), TERMS, descriptors).tree)
}

describe('renderScx', () => {
  it('writes UTF-8 with a declaration and no namespace', () => {
    const text = documentOf('\u{1f600}').toString('utf8')
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<adx>\n {2}<document>\n/)
    expect(text).toContain('<code codeOwner="Agency">\u{1f600}</code>')
  })

  it.each([
    ['A&B ]]>\t', 'A&amp;B ]]&gt;&#9;'],
    ['a\rb\nc\r\nd', 'a&#13;b&#10;c&#13;&#10;d'],
    ['"x" <y>', '&quot;x&quot; &lt;y&gt;'],
    ['&amp;', '&amp;amp;'],
    ['true', 'true'],
    ['1e21', '1e21'],
  ])('writes %j as %s', (estimate_id, written) => {
    expect(documentOf(estimate_id).toString('utf8')).toContain(`<code codeOwner="Agency">${written}</code>`)
  })

  it('is read back verbatim by a parser that keeps white space', () => {
    const parser = new XMLParser({ htmlEntities: true, trimValues: false, parseTagValue: false, ignoreAttributes: false })
    const estimate_id = ' \tA&B ]]> "x"\r\n\u{1f600} '
    const { adx } = parser.parse(documentOf(estimate_id)) as { adx: { campaign: { estimate: { ID: { code: { '#text': string } } } } } }
    expect(adx.campaign.estimate.ID.code['#text']).toBe(estimate_id)
  })
})
