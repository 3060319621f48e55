import type { ConfirmOrder } from '../../contract/confirmOrder.ts'
import type { CreateOrder } from '../../contract/createOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { Client } from '../../sdk/client/client.ts'
import { DemoFault } from './demoFault.ts'
import { example, exampleFile } from './examples.ts'
import { feedCursor, untilStatus } from './feed.ts'
import { fillConfirm } from './fillOrder.ts'
import { tellOutcome } from './outcome.ts'
import { createOrder, freshId } from './place.ts'
import type { Progress } from './progress.ts'
import { heading, line, periodText, price, table } from './story.ts'

interface DocumentOrder {
  asBuyer: Client
  asSeller: Client
  progress: Progress
  signal: AbortSignal
}

/** Places a third order from a buysheet. One of its lines has an outdated price; the buyer takes the published one and confirms. */
export async function orderByDocument({ asBuyer, asSeller, progress, signal }: DocumentOrder): Promise<void> {
  const order = JSON.parse(await example('document-order')) as CreateOrder
  heading(`13  ${order.seller} takes documents too; the buyer uploads a buysheet and orders by it`)
  await asSeller.putCapabilities({ body: await example('summit-capabilities') })
  line('PUT /v1/me/capabilities   modes catalog, proposal, document')
  const upload_id = await upload(asBuyer)
  const after = await progress.during('Reading the event feed to its end', feedCursor(asBuyer))
  const document = { upload_id, format: 'csv' as const }
  const { order_id } = await createOrder({ ...order, external_order_id: freshId(), document }, asBuyer)
  const read = untilStatus('needs_confirmation', { asBuyer, orderId: order_id, after, signal })
  const cursor = await progress.during('Waiting for needs_confirmation in the event feed', read)

  heading('14  Its lines, as they were read and as they are priced; one price is not the published one')
  const parse = await tellParse(order_id, asBuyer)

  heading('15  The buyer takes the published price, and confirms; the seller approves')
  const ask = fillConfirm(JSON.parse(await example('confirm')) as ConfirmOrder, parse)
  const { status, body } = await asBuyer.confirmOrder({ path: { order_id }, body: ask })
  line(`POST /v1/orders/${order_id}/confirm   ${ask.action} by ${ask.actor}, line ${ask.resolutions?.[0]?.line} at the published price`)
  line(`   and acknowledges that ${ask.acknowledge?.join(' and ')} of the document no longer tie`)
  line(`   ${status}, ${body.status}`)
  const reviewed = untilStatus('seller_review', { asBuyer, orderId: order_id, after: cursor, signal })
  await progress.during('Waiting for seller_review in the event feed', reviewed)
  await asSeller.decideOrder({ path: { order_id }, body: await example('decide-document') })
  await tellOutcome(order_id, asBuyer)
}

async function upload(asBuyer: Client): Promise<string> {
  const bytes = await exampleFile('buysheet.csv')
  const announced = { filename: 'buysheet.csv', format: 'csv' as const, size_bytes: Buffer.byteLength(bytes) }
  const { upload_id } = (await asBuyer.createUpload({ body: announced })).body
  const { status, body } = await asBuyer.putUploadContent({ path: { upload_id }, body: bytes, contentType: 'text/csv' })
  line(`PUT /v1/uploads/${upload_id}/content   ${status}, ${body.status}, ${body.size_bytes} bytes`)
  return upload_id
}

async function tellParse(orderId: string, asBuyer: Client): Promise<DocumentParse> {
  const { artifacts } = (await asBuyer.getOrder({ path: { order_id: orderId } })).body
  const parse = artifacts.find((artifact) => artifact.name === 'document_parse')
  if (parse === undefined) throw new DemoFault(`The order ${orderId} has no document_parse.`)
  line(`GET /v1/orders/${orderId}   document_parse: ${parse.lines.length} lines, ${parse.unresolved.length} unresolved`)
  const rows = parse.lines.map(({ line: number, read, line_item }) => [
    String(number),
    read.product?.read ?? '',
    read.period?.value === undefined ? '' : periodText(read.period.value),
    `${read.units?.read} in ${read.units?.at}`,
    `${read.unit_cost?.read} in ${read.unit_cost?.at}`,
    line_item === null ? 'unresolved' : price(line_item.rate),
  ])
  table(['line', 'product', 'period', 'units', 'rate', 'published'], rows, ['line'])
  for (const { line: number, field, message } of parse.unresolved) line(`Line ${number}, ${field}: ${message}`)
  const totals = parse.totals.filter(({ lines }) => lines === undefined)
  line(
    `The document's own totals: ${totals.map(({ of, read, at, ties }) => `${of} ${read} in ${at} ${ties ? 'ties' : 'does not tie'}`).join(', ')}.`,
  )
  return parse
}
