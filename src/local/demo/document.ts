import { MarketplaceError } from '../../../client/src/index.ts'
import type { ConfirmOrder } from '../../contract/confirmOrder.ts'
import type { CreateOrder } from '../../contract/createOrder.ts'
import type { DocumentParse, DocumentQuestion } from '../../contract/documentParse.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { example, exampleFile } from './examples.ts'
import { feedCursor, untilStatus } from './feed.ts'
import { tellOutcome } from './outcome.ts'
import { createOrder, freshId } from './place.ts'
import type { Progress } from './progress.ts'
import { heading, line, periodText, price, table } from './story.ts'

interface DocumentOrder {
  asBuyer: Operations
  asSeller: Operations
  progress: Progress
  signal: AbortSignal
}

const BUYSHEET = 'agency-buysheet.csv'
const CONFIRMED_BY = { action: 'confirm', actor: 'Dana Whitfield' } as const

/**
 * Places a third order from a buysheet as an agency's system prints it: without ids of products, dates without a year. It leaves two questions, which the buyer
 * answers.
 */
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

  heading('14  Its lines, as they were read; each is of the product that airs on just those days in just that window')
  const parse = await tellParse(order_id, asBuyer)

  heading('15  What the document leaves open is asked, once each; the buyer answers and confirms; the seller approves')
  await confirmAnswered(order_id, asBuyer, (parse.questions ?? []).map(answerTo))
  const reviewed = untilStatus('seller_review', { asBuyer, orderId: order_id, after: cursor, signal })
  await progress.during('Waiting for seller_review in the event feed', reviewed)
  await asSeller.decideOrder({ path: { order_id }, body: await example('decide-document') })
  await tellOutcome(order_id, asBuyer)
}

/** What the demo's buyer answers: the first product that is proposed, and else the first choice. */
function answerTo({ question_id, kind, message, lines, choices }: DocumentQuestion): { question_id: string; choice: string } {
  const [first] = choices
  if (first === undefined) throw new DemoFault(`The document asks what only a person can answer: ${message}`)
  line(`${question_id}, ${kind}, lines ${lines.join(', ')}: ${message}`)
  line(`   -> ${first.text}`)
  return { question_id, choice: first.choice }
}

/** Confirms. The totals that lack what was left out are refused first; the buyer has seen them, and acknowledges them. */
async function confirmAnswered(orderId: string, asBuyer: Operations, resolutions: ConfirmOrder['resolutions']): Promise<void> {
  const path = { order_id: orderId }
  const request: ConfirmOrder = { ...CONFIRMED_BY, resolutions, remember: true }
  const acknowledge = await asBuyer.confirmOrder({ path, body: request }).then(() => [], untiedTotals)
  line(`POST /v1/orders/${orderId}/confirm   422: ${acknowledge.join(', ')} do not tie without what is left out`)
  const { status, body } = await asBuyer.confirmOrder({ path, body: { ...request, acknowledge } })
  line(`POST /v1/orders/${orderId}/confirm   ${request.action} by ${request.actor}, who acknowledges that`)
  line(`   ${status}, ${body.status}; the answers are proposed for the next document with these headings`)
}

/** Returns the ids of the totals for which a confirm was refused. */
function untiedTotals(error: unknown): string[] {
  const unresolved = error instanceof MarketplaceError ? error.details.unresolved : undefined
  if (!Array.isArray(unresolved)) throw error
  const ids = unresolved.flatMap(({ equation_id }: { equation_id?: string }) => equation_id ?? [])
  if (ids.length < unresolved.length) throw error
  return ids
}

async function upload(asBuyer: Operations): Promise<string> {
  const bytes = await exampleFile(BUYSHEET)
  const announced = { filename: BUYSHEET, format: 'csv' as const, size_bytes: Buffer.byteLength(bytes) }
  const { upload_id } = (await asBuyer.createUpload({ body: announced })).body
  const { status, body } = await asBuyer.putUploadContent({ path: { upload_id }, body: bytes, contentType: 'text/csv' })
  line(`PUT /v1/uploads/${upload_id}/content   ${status}, ${body.status}, ${body.size_bytes} bytes`)
  return upload_id
}

async function tellParse(orderId: string, asBuyer: Operations): Promise<DocumentParse> {
  const { artifacts } = (await asBuyer.getOrder({ path: { order_id: orderId } })).body
  const parse = artifacts.find((artifact) => artifact.name === 'document_parse')
  if (parse === undefined) throw new DemoFault(`The order ${orderId} has no document_parse.`)
  line(
    `GET /v1/orders/${orderId}   document_parse: ${parse.lines.length} lines, ${parse.unresolved.length} values unresolved, proof ${parse.proof?.level}`,
  )
  const rows = parse.lines.map(({ line: number, read, line_item }) => [
    String(number),
    line_item?.product_id ?? read.product?.read ?? '',
    [read.days?.read, read.start?.read, read.end?.read].join(' '),
    read.period?.value === undefined ? '' : periodText(read.period.value),
    `${read.units?.read} in ${read.units?.at}`,
    `${read.unit_cost?.read} in ${read.unit_cost?.at}`,
    line_item === null ? 'unresolved' : price(line_item.rate),
  ])
  table(['line', 'product', 'airs', 'period', 'units', 'rate', 'published'], rows, ['line'])
  const totals = parse.totals.filter(({ lines }) => lines === undefined)
  line(
    `The document's own totals: ${totals.map(({ of, read, at, ties }) => `${of} ${read} in ${at} ${ties ? 'ties' : 'does not tie'}`).join(', ')}.`,
  )
  return parse
}
