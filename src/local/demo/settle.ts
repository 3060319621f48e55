import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InvoiceSummary } from '../../contract/invoice.ts'
import type { Reconciliation } from '../../contract/reconciliation.ts'
import { apiTransport } from '../../sdk/dropClient/apiTransport.ts'
import { planDrop } from '../../sdk/dropClient/planDrop.ts'
import { sendDrop } from '../../sdk/dropClient/sendDrop.ts'
import { writeDropFile } from '../../sdk/dropClient/writeDropFile.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { approve } from './approve.ts'
import { DemoFault } from './demoFault.ts'
import { feedCursor, untilReviewed } from './feed.ts'
import { fillOrder } from './fillOrder.ts'
import { COPY, catalogOf, type LastMonth, lastMonth, orderOfMonth, sentOf } from './lastMonth.ts'
import { createOrder, freshId, readAvails } from './place.ts'
import type { Progress } from './progress.ts'
import { amount, count, heading, line, table } from './story.ts'

interface Settlement {
  seller: string
  buyer: string
  asBuyer: Operations
  asSeller: Operations
  progress: Progress
  signal: AbortSignal
}

/** Settles an order of the last broadcast month: the seller sends a log and an invoice, and both sides read the variances. */
export async function settle({ seller, buyer, asBuyer, asSeller, progress, signal }: Settlement): Promise<void> {
  const month = lastMonth(new Date().toISOString())

  heading(
    `16  ${seller} sells without lead time: an order of ${month.month}, a broadcast month that has closed, under an agreement that is cleared`,
  )
  const agreement_id = await agreeOnClearing(seller, buyer, asSeller)
  const rate_version = await publishMonth(month, asSeller)
  const { creative_id } = (await asBuyer.createCreative({ body: COPY })).body
  const order = orderOfMonth(month, { seller, rate_version, agreement_id, creative_id })
  const cited = await readAvails(order, asBuyer)
  const after = await progress.during('Reading the event feed to its end', feedCursor(asBuyer))
  const { order_id } = await createOrder(fillOrder(order, cited, freshId()), asBuyer)
  await progress.during('Waiting for seller_review in the event feed', untilReviewed({ asBuyer, orderId: order_id, after, signal }))
  await approve(order_id, asSeller, { decision: 'approve', actor: 'Mia Torres, Lakeshore traffic', reason: 'Aired.' })

  heading('17  The month is over, so the marketplace has invoiced what is booked')
  tellInvoice(await progress.during('Waiting for the invoice', untilInvoiced(order_id, asBuyer, signal)))

  heading(`18  ${seller} sends its log and its own invoice as files; what aired and was billed is matched with what was ordered`)
  const { line_items } = (await asSeller.getReceivedOrder({ path: { order_id } })).body
  await progress.during('Sending the files', sendFiles(month, { order_id, unit_id: line_items[0]?.unit_id ?? '' }, asSeller, signal))
  tellGrid(await progress.during('Waiting for the reconciliation', untilReconciled(order_id, asBuyer, signal)))
}

async function agreeOnClearing(seller: string, buyer: string, asSeller: Operations): Promise<string> {
  const agreement_id = `agr-${seller}-${buyer}`
  const year = new Date().getUTCFullYear()
  const { status, body } = await asSeller.grantAgreement({
    path: { agreement_id },
    body: {
      buyer_entity: buyer,
      effective: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
      settlement_mode: 'cleared',
      agency_commission_pct: 15,
    },
  })
  line(`PUT /v1/me/agreements/${agreement_id}   ${status}: ${body.settlement_mode}, commission ${body.agency_commission_pct} %`)
  return agreement_id
}

/** Publishes the product that the order buys. Returns the card's version. */
async function publishMonth(month: LastMonth, asSeller: Operations): Promise<string> {
  const { catalog, rateCard, avails } = catalogOf(month)
  await asSeller.publishCatalog({ body: JSON.stringify(catalog) })
  const { body } = await asSeller.publishRateCard({ body: JSON.stringify(rateCard) })
  await asSeller.publishAvails({ body: JSON.stringify(avails) })
  return body.commit
}

async function sendFiles(
  month: LastMonth,
  { order_id, unit_id }: { order_id: string; unit_id: string },
  asSeller: Operations,
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-posts-'))
  try {
    for (const [name, rows] of Object.entries(sentOf(month, order_id, unit_id)))
      await writeFile(join(folder, `delivery_posts-${name}.csv`), await writeDropFile('csv', rows))
    const drop = await planDrop(folder, { dropId: `posts-${order_id}` })
    const { drop_id, status, rows_written } = await sendDrop(apiTransport(asSeller), drop, { onProgress: () => undefined, signal })
    line(`PUT /v1/me/files/${drop_id}/${[...drop.paths.keys()].join(', ')}`)
    line(`POST /v1/me/files/manifest   ${status}, ${count(rows_written)} rows written`)
    if (status !== 'success') throw new DemoFault(`The log and the invoice were to be taken whole, and the drop is ${status}.`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function tellInvoice({ invoice_number, broadcast_month, gross, commission, net, status, currency, order_id }: InvoiceSummary): void {
  line(`GET /v1/settlement/invoices?order_id=${order_id}`)
  table(
    ['invoice', 'month', 'gross', 'commission', 'net', 'status'],
    [[invoice_number, broadcast_month, amount(gross, currency), amount(commission, currency), amount(net, currency), status]],
    ['gross', 'commission', 'net'],
  )
}

function tellGrid({ order_id, revision, currency, coverage, totals, lines }: Reconciliation): void {
  line()
  line(
    `GET /v1/orders/${order_id}/reconciliation   revision ${revision}, logs of ${coverage.days_logged} of ${coverage.days_booked} days, ` +
      `${coverage.invoices.length} invoice`,
  )
  const figures = ['ordered', 'in spec', 'out', 'makegood', 'missed', 'unordered', 'duplicate', 'billed', 'variance']
  const row = (name: string, of: Reconciliation['totals']) => [
    name,
    ...[of.ordered, of.aired_in_spec, of.aired_out_of_spec, of.makegood, of.missed, of.unordered, of.duplicate].map(count),
    ...[of.billed_gross, of.variance_gross].map((gross) => amount(gross, currency)),
  ]
  const rows = lines.map((of) => row(of.air_date, of))
  table(['date', ...figures], [...rows, row('total', totals)], figures)
  line()
  line('Its variances, which the buyer may dispute and the seller credit')
  const variances = lines.flatMap(({ air_date, variances: found }) => found.map((variance) => ({ air_date, ...variance })))
  table(
    ['date', 'code', 'units', 'amount', 'state', 'at'],
    variances.map(({ air_date, code, units, gross, state, rows: [first] }) => [
      ...[air_date, code, count(units), amount(gross, currency), state],
      first === undefined ? '' : `${first.air_date} ${first.air_time ?? ''}`,
    ]),
    ['units', 'amount'],
  )
}

async function untilInvoiced(order_id: string, asBuyer: Operations, signal: AbortSignal): Promise<InvoiceSummary> {
  return until(`The order has no invoice`, signal, async () => (await asBuyer.listInvoices({ query: { order_id } })).body.items[0])
}

async function untilReconciled(order_id: string, asBuyer: Operations, signal: AbortSignal): Promise<Reconciliation> {
  return until('The rows are not reconciled', signal, async () => {
    const { body } = await asBuyer.getReconciliation({ path: { order_id } })
    return body.totals.billed > 0 && body.coverage.days_logged > 0 ? body : undefined
  })
}

async function until<T>(fault: string, signal: AbortSignal, read: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS, undefined, { signal })) {
    const found = await read()
    if (found !== undefined) return found
  }
  throw new DemoFault(`${fault} within ${PATIENCE_MS / 1_000} s; the log in the data directory says why.`)
}

const PATIENCE_MS = 60_000
const POLL_MS = 250
