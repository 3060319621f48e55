import { composeMail } from '../../../src/adapters/mail/composeMail.ts'
import { renderScx } from '../../../src/adapters/mail/scx.ts'
import { renderCsv } from '../../../src/adapters/tables/renderCsv.ts'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { CSV_COLUMNS, csvRows } from '../../../src/domain/edi/csvRows.ts'
import { mailFields } from '../../../src/domain/edi/mailFields.ts'
import { aProduct } from '../orders/anOrder.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from './anEdiOrder.ts'

/** Returns the files of docs/examples/edi: the documents of one order, the text of their mail, and that mail. */
export async function sampleDocuments(): Promise<Record<string, Buffer>> {
  const products = [
    aProduct({
      product_id: 'prime',
      network: 'SUMMIT',
      reporting_dayparts: ['primetime'],
      definition: { selling_title: 'Prime Monday to Friday' },
    }),
    aProduct({
      product_id: 'late',
      network: 'SUMMIT',
      reporting_dayparts: ['late_night'],
      definition: { selling_title: 'Late Night', start: '23:00', end: '02:00' },
    }),
  ]
  const buyer_metadata = { advertiser_id: 'ADV-118', campaign_id: 'SPRING-27', estimate_id: '2027-0417 A&B' }
  const { order, descriptors } = aPlacedOrder(
    { lines: EXAMPLE_LINES, external_order_id: 'PO-55120', flight: { start: '2027-02-01', end: '2027-04-04' }, buyer_metadata },
    products,
  )
  const message = aMessage({ document_id: 'edi_06hxw4c1z8' })
  const terms = { ...TERMS, agreement_id: 'agr_acme_2027' }
  const scx = renderScx(buildScx(order, message, terms, descriptors).tree)
  const csv = renderCsv(CSV_COLUMNS, csvRows(order, message))
  const { subject, text, headers, fileStem } = mailFields(order, message, terms, descriptors)
  const sender = 'orders@marketplace.example'
  const { raw } = await composeMail({
    ...{ message_id: message.document_id, references: [], date: new Date('2027-01-04T15:00:00Z') },
    ...{ from: sender, to: 'orders@billing.agency.example', envelopeFrom: sender, subject, text, headers },
    documents: [
      { filename: `${fileStem}.scx`, contentType: 'application/xml', content: scx },
      { filename: `${fileStem}.csv`, contentType: 'text/csv', content: csv },
    ],
  })
  return { 'order.scx': scx, 'order.csv': csv, 'order.txt': Buffer.from(text), 'order.eml': raw }
}
