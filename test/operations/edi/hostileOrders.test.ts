import { expect, it } from '@jest/globals'
import { XmlDocument } from 'libxml2-wasm'
import { xmlText } from '../../../src/domain/edi/xmlText.ts'
import { nameTenant } from '../../../src/store/tenants/sellers.ts'
import { readMail } from '../../support/edi/mailServer.ts'
import { TO } from '../../support/edi/orderMail.ts'
import { HOSTILE_TEXTS } from '../../support/edi/someEdiOrder.ts'
import { useOrderMail } from '../../support/edi/useOrderMail.ts'
import { schemaFault } from '../../support/edi/xsdProfile.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)

/** What the API takes as text: no lone surrogate, and no empty name after a cut. */
const TEXTS = HOSTILE_TEXTS.filter((text) => text.isWellFormed())

it.each(TEXTS.map((text) => [JSON.stringify(text).slice(0, 40), text] as const))(
  'an order with %s in every text of it is one mail to one address, valid, with the estimate verbatim',
  async (_, text) => {
    const name = text.slice(0, 190)
    const id = `id ${name.replaceAll(/\p{Cc}/gu, '')}`
    const agreement = `agr ${id}`
    const path = encodeURIComponent(agreement)
    mail.server.taken.length = 0
    const edi = { to: TO, formats: ['scx', 'csv'], system_name: name }
    const granted = await market.cable.put(`/me/agreements/${path}`, {
      ...{ buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, edi },
    })
    expect(granted.status).toBe(201)
    await nameTenant(market.deps.db, 'acme', name)
    await nameTenant(market.deps.db, 'cable', name)
    const title = `update products set body = jsonb_set(body::jsonb, '{definition,selling_title}', to_jsonb($1::text)) where product_id = 'prime'`
    await market.owner().query(title, [name])
    const { creative_id } = (await market.acme.post('/creatives', { creative_code: id, name, length_seconds: 30 })).body
    const orderId = await market.parked({
      ...{ agreement_id: agreement, external_order_id: id, line_items: [market.line({ creative_id })] },
      buyer_metadata: { advertiser_id: id, campaign_id: id, estimate_id: text },
    })
    const decided = await market.cable.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: name, seller_order_id: id })
    expect(decided.status).toBe(202)
    await mail.close(orderId)
    await mail.sender.send(agreement)

    const [taken, ...more] = mail.server.taken
    expect([taken?.to, more]).toEqual([[TO], []])
    const read = await readMail(taken as { raw: Buffer })
    expect(
      read.headers
        .map(({ key }) => key)
        .filter((key) => /^(bcc|cc|to|subject|from)$/.test(key))
        .sort(),
    ).toEqual(['from', 'subject', 'to'])
    expect(read.to?.map(({ address }) => address)).toEqual([TO])
    expect(read.subject).toMatch(/^CONFIRMED [^\p{Cc}]+$/u)
    expect(read.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/xml', 'text/csv'])
    for (const { filename } of read.attachments) expect(filename).toMatch(/^(?!.*\.\.)(?=.{1,100}$)SCX_cable_[A-Za-z0-9._-]+\.(scx|csv)$/)
    const [scx, csv] = read.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))
    expect(schemaFault(scx as Buffer)).toBeUndefined()
    const xml = XmlDocument.fromBuffer(scx as Buffer)
    expect(xml.get('/adx/campaign/estimate/ID/code')?.content).toBe(xmlText(text))
    expect(xml.get('/adx/campaign/key[1]/id')?.content).toBe(xmlText(id))
    xml.dispose()
    expect(csv?.toString()).not.toMatch(/(^|,|")[=+@]/m)
  },
)
