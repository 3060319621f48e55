import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { CreateOrder } from '../../../src/contract/createOrder.ts'
import { SellerProfile } from '../../../src/contract/seller.ts'
import type { CredentialSide } from '../../../src/contract/vocabulary/access.ts'
import { citedRates, fillConfirm, fillCounter, fillOrder, weeksOfOrder } from '../../../src/local/demo/fillOrder.ts'
import { moveDates } from '../../../src/local/demo/moveDates.ts'
import { readDocumentFile } from '../../../src/operations/documents/documentReader.ts'
import { parseDocument } from '../../../src/operations/orders/parseDocument.ts'
import { validateOrder } from '../../../src/operations/orders/validateOrder.ts'
import { bookOrder } from '../../../src/operations/settlement/bookOrder.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { keepReading } from '../../../src/store/files/documentReadings.ts'
import { claimEngineReport, reportWorker, saveEngineReport } from '../../../src/store/ops/reports.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { nameTenant } from '../../../src/store/tenants/sellers.ts'
import { storeMail } from '../edi/storedMails.ts'
import { feedSettled } from '../engines/feedSettled.ts'
import { endWith } from '../files/drops.ts'
import type { TestApp } from '../http/app.ts'
import { receiveMail } from '../mail/receiveMail.ts'
import type { Snapshot } from '../market.ts'
import { parseOf } from '../orders/documentOrders.ts'
import { inHours } from '../orders/proposals.ts'
import { sandboxParties } from '../sandboxParties.ts'
import { aBilled, aLogged, sendPosts } from '../settlement/sendPosts.ts'
import { type Recorder, type Replies, recorderFor } from './recorder.ts'

/** A year with the days of 2027, apart from leap days, so that a walk through it gives the replies of 2027 while it is in the future. */
export const WALK_YEAR = 2038

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url)
const inWalk = (text: string) => moveDates(text, WALK_YEAR)
const example = async (name: string) => JSON.parse(inWalk(await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8')))
export const BUYSHEET = new URL('buysheet.csv', EXAMPLES)

const CARD = inWalk('summit-2027-q1')

export interface Walked {
  readonly replies: Replies
  /** One event of each type. */
  readonly events: Readonly<Record<string, unknown>>
}

/** Calls every operation of /v1 with the bodies of docs/examples. */
export async function walkOperations(app: TestApp): Promise<Walked> {
  const token = async (entity: string, side: CredentialSide, name: string) => {
    const issued = await issueCredential(app.deps.db, { entity, side, kind: 'test' })
    await nameTenant(app.deps.db, entity, name)
    return issued.token
  }
  const tokens = {
    seller: await token('summit', 'seller', 'Summit Networks'),
    buyer: await token('northlight-media', 'buyer', 'Northlight Media'),
    operator: await token('operations', 'operator', 'Marketplace operations'),
  }
  const recorder = recorderFor(app, tokens)
  await subscribe(recorder)
  await publish(recorder)
  await drop(app, recorder)
  await relate(recorder)
  await discover(recorder)
  await register(recorder)
  await hold(recorder)
  await order(app, recorder)
  await negotiate(app, recorder)
  await mail(app, recorder)
  await orderByDocument(app, recorder)
  await propose(app, recorder)
  await feedSettled(app.deps.db)
  await readOrders(recorder)
  await settle(app, recorder)
  await deliver(app, recorder)
  await recorder.ask('getCredential')
  await recorder.send('createOrder', { body: { seller: '' } })
  await app.deps.refusedRequests.flush()
  await recorder.ask('listRefusedRequests', { query: { limit: '1' } })
  await playSandbox(app, recorder)
  await recorder.ask('listAudit', { query: { limit: '3' } })
  await recorder.ask('listOwnAudit', { query: { limit: '3' } })
  return { replies: recorder.replies, events: await readEvents(app, recorder) }
}

async function subscribe({ ask }: Recorder): Promise<void> {
  await ask('createWebhookEndpoint', { body: await example('webhook-endpoint') })
  await ask('putQueueDelivery', { body: await example('queue') })
  await ask('getQueueDelivery')
  await ask('deleteQueueDelivery')
}

async function publish({ ask }: Recorder): Promise<void> {
  await ask('publishCatalog', { body: await example('summit-catalog') })
  await ask('publishRateCard', { body: await example('summit-rate-card') })
  await ask('publishAvails', { body: await example('summit-avails') })
  await ask('getOwnCatalog')
  await ask('listRateCards')
  await ask('getRateCard', { path: { commit: CARD }, query: { limit: '5000' } })
  await ask('getOwnAvails', { query: { limit: '3' } })
  await ask('getRates', { query: { product_id: 'smt-sports-prime', weeks: inWalk('2027-W05'), limit: '3' } })
  await ask('diffRateCard', { path: { commit: CARD }, query: { limit: '3' } })
}

/** Records a drop of two files. Nothing reads them here, so this writes its end as its run would. */
async function drop({ deps: { db } }: TestApp, { ask }: Recorder): Promise<void> {
  const body = await example('manifest')
  const { drop_id } = body
  for (const { filename } of body.files)
    await ask('putDropFile', { path: { drop_id, filename }, bytes: await readFile(new URL(filename, EXAMPLES)) })
  await ask('registerDrop', { body })
  const key = { seller: 'summit', drop_id, run_no: 1 }
  await endWith(db, key, { catalog: { rows_written: 5, rows_rejected: 0 }, avails: { rows_written: 1, rows_rejected: 1 } }, [
    { file: 'avails.csv', row: 3, error_code: 'INVALID_ENTRY', field: 'spots.available', value: 'forty', message: 'must be a number' },
  ])
  await ask('getDrop', { path: { drop_id } })
  await ask('listDrops')
  const mapping = { path: { name: 'station-log' } }
  await ask('putMapping', { ...mapping, body: await example('mapping') })
  await ask('putMapping', { ...mapping, body: await example('mapping') })
  await ask('getMapping', mapping)
  await ask('listMappings')
  await ask('deleteMapping', mapping)
}

async function relate({ ask }: Recorder): Promise<void> {
  const agreement = { path: { agreement_id: inWalk('agr-northlight-2027') } }
  const buyer = { path: { buyer_entity: 'northlight-media' } }
  await ask('grantAgreement', { ...agreement, body: await example('agreement') })
  await ask('grantAgreement', { ...agreement, body: await example('agreement') })
  await ask('listGrantedAgreements')
  await ask('getGrantedAgreement', agreement)
  await ask('putBuyer', { ...buyer, body: await example('buyer') })
  await ask('getBuyer', buyer)
  await ask('listBuyers')
  await ask('putSecret', { path: { name: 'pull' }, body: await example('secret') })
  await ask('putCapabilities', { body: await example('summit-capabilities') })
  await ask('getCapabilities')
  await ask('putApprovalRules', { body: await example('approval-rules') })
  await ask('getApprovalRules')
  await ask('listAgreements')
  await ask('getPacing', agreement)
  await ask('getGrantedPacing', agreement)
  await ask('getGrantedCredit', agreement)
  await ask('getCredit', { query: { agreement: agreement.path.agreement_id } })
}

async function discover({ ask }: Recorder): Promise<void> {
  const seller = { path: { seller: 'summit' } }
  await ask('listSellers', { query: { limit: '3' } })
  await ask('getCatalog', seller)
  await ask('getAvails', { ...seller, query: { product_id: 'smt-sports-prime', weeks: inWalk('2027-W05..2027-W06'), spot_length: '30' } })
  await ask('requestAvails', { ...seller, body: await example('avails-request') })
  await ask('listAvailsRequests')
}

async function register({ ask }: Recorder): Promise<void> {
  const creative = await ask('createCreative', { body: await example('creative') })
  await ask('listCreatives')
  await ask('archiveCreative', { path: { creative_id: creative.creative_id } })
}

async function hold({ ask, send }: Recorder): Promise<void> {
  const held = { path: { hold_id: (await ask('createHold', { body: await example('hold') })).hold_id } }
  await ask('listHolds')
  await ask('listReceivedHolds')
  await ask('getHold', held)
  await ask('releaseHold', held)
  const { hold_id } = (await send('createHold', { body: await example('hold') })).body
  await ask('elapseHold', { path: { hold_id } })
}

/** Records an order of five lines, which the seller approves. */
async function order(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask } = recorder
  const body = await filled(recorder, await example('order'), 'RIDGELINE-2027-001')
  await ask('previewOrder', { body })
  await ask('createOrder', { query: { dry_run: 'true' }, body })
  const path = await placed(app, recorder, body)
  await ask('listReceivedOrders', { query: { status: 'seller_review' } })
  await ask('countReceivedOrders')
  await ask('countOrders')
  await ask('decideOrder', { path, query: { dry_run: 'true' }, body: await example('decide') })
  await ask('decideOrder', { path, body: await example('decide') })
}

/** Records an order of two lines, of which the seller counters one; all reads of an order are of this one. */
async function negotiate(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask } = recorder
  const path = await placed(app, recorder, await filled(recorder, await example('negotiated-order'), 'RIDGELINE-2027-002'))
  const { line_items } = await ask<Snapshot>('getReceivedOrder', { path })
  const units = line_items.map(({ unit_id }) => unit_id)
  await ask('decideOrder', { path, body: fillCounter(await example('counter'), units) })
  await ask('respondOrder', { path, body: await example('respond') })
  await ask('getOrder', { path })
  await ask('getOrderAudit', { path })
  await ask('getReceivedOrderAudit', { path })
  await ask('replayEvents', { query: { order: path.order_id, after_seq: '3' } })
}

/** Records an order whose agreement says where its documents go. Nothing sends them here, so this writes its mail as its run would. */
async function mail(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask, send } = recorder
  const { edi, buyer_entity } = await example('agreement')
  const agreement_id = 'agr-northlight-edi'
  // The agreement ends before anything airs, so that no other order comes under it.
  const effective = { start: '2026-01-01', end: inWalk('2026-12-27') }
  await send('grantAgreement', { path: { agreement_id }, body: { buyer_entity, effective, edi } })
  const body = await filled(recorder, await example('negotiated-order'), 'RIDGELINE-2027-005')
  const { order_id } = await placed(app, recorder, { ...body, agreement_id })
  await send('decideOrder', { path: { order_id }, body: await example('decide') })
  const { last_seq, updated_at } = await ask<Snapshot & { updated_at: string }>('getOrder', { path: { order_id } })
  const message_id = await storeMail(app.deps, order_id, {
    ...{ seq: last_seq, created_at: updated_at, sent_at: updated_at, to_address: edi.to },
    filename: 'SCX_summit_RIDGELINE-2027-005_v1_confirmed.scx',
    attempts: [{ at: updated_at, outcome: 'accepted', code: 250, enhanced: '2.0.0', latency_ms: 41 }],
  })
  const resend = { ...(await example('resend-edi')), message_id }
  await receiveMail(app, message_id, Date.UTC(2027, 0, 4, 15))
  await ask('listSandboxMails', { query: { order_id } })
  await ask('listEdiMails', { path: { order_id } })
  await ask('listReceivedEdiMails', { path: { order_id } })
  await ask('resendEdiMail', { path: { order_id }, body: resend })
  await ask('resendReceivedEdiMail', { path: { order_id }, body: resend })
}

/** Records an order by a buysheet, which the buyer confirms. */
async function orderByDocument(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask } = recorder
  const bytes = await readFile(BUYSHEET)
  const upload = { upload_id: (await ask('createUpload', { body: await example('upload') })).upload_id }
  await ask('putUploadContent', { path: upload, bytes })
  await ask('getUpload', { path: upload })
  const body = { ...(await example('document-order')), external_order_id: 'RIDGELINE-2027-003', document: { ...upload, format: 'csv' } }
  const path = await placed(app, recorder, body)
  const { reading, shown } = await readDocumentFile(Readable.from([bytes]), 'csv', inWalk('2027-02-01'))
  await keepReading(app.deps.db, { ...upload, anchor: '' }, { reading, shown }, false)
  await ask('getUploadPages', { path: upload })
  await parseDocument(app.deps.orders, app.deps.db, path.order_id, newId('cmd_'), reading)
  const parse = parseOf(await ask<Snapshot>('getOrder', { path }))
  const confirm = fillConfirm(await example('confirm'), parse)
  await ask('confirmOrder', { path, query: { dry_run: 'true' }, body: confirm })
  await ask('confirmOrder', { path, body: confirm })
}

/** Records a proposal, which the seller answers with a plan and the buyer cancels. */
async function propose(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask } = recorder
  const path = await placed(app, recorder, { ...(await example('proposal-order')), external_order_id: 'RIDGELINE-2027-004' })
  const plan = await example('plan')
  const [line] = plan.line_items
  const { entries } = await ask('getRateCard', { path: { commit: CARD }, query: { limit: '5000' } })
  const price = entries.find(
    (entry: Record<string, unknown>) =>
      entry.product_id === line.product_id &&
      entry.week === line.period.start &&
      entry.spot_length === line.spot_length &&
      entry.buy_type === line.rate.buy_type,
  )
  const lines = [{ ...line, rate: { ...line.rate, locked_rate_id: price.locked_rate_id } }]
  await ask('planOrder', { path, body: { ...plan, line_items: lines, expires_at: inHours(24) } })
  await ask('cancelOrder', { path, query: { dry_run: 'true' }, body: await example('cancel') })
  await ask('cancelOrder', { path, body: await example('cancel') })
}

async function readOrders({ ask }: Recorder): Promise<void> {
  await ask('listOrders', { query: { limit: '2' } })
  await ask('search', { query: { q: 'sports prime' } })
  await ask('readFeed', { query: { limit: '2', events: 'order.status_changed', statuses: 'seller_review' } })
}

/** Records a cleared order of one line, whose invoice the seller marks as paid. */
async function settle(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask, send } = recorder
  const agreement = { path: { agreement_id: inWalk('agr-northlight-cleared-2027') } }
  const effective = { start: '2026-01-01', end: inWalk('2027-12-26') }
  await send('grantAgreement', { ...agreement, body: { ...(await example('agreement')), effective, external_ref: 'CRM-30418' } })
  const { line_items, ...body } = await example('order')
  const week = { ...body, ...agreement.path, line_items: line_items.slice(0, 1) }
  const path = await placed(app, recorder, await filled(recorder, week, 'RIDGELINE-2027-006'))
  await ask('decideOrder', { path, query: { dry_run: 'true' }, body: await example('decide') })
  await ask('decideOrder', { path, body: await example('decide') })
  const { issued } = await ask('issueInvoicesAsOf', { body: await example('issue-as-of') })
  const [{ invoice_id, broadcast_month }] = issued
  const statement = { agreement: agreement.path.agreement_id, broadcast_month }
  await ask('listIssuedInvoices', { query: statement })
  await ask('markInvoicePaid', { path: { invoice_id }, body: await example('mark-paid') })
  await ask('getIssuedInvoice', { path: { invoice_id } })
  await ask('listInvoices', { query: statement })
  await ask('getInvoice', { path: { invoice_id } })
  await reconcileOrder(app, recorder, path.order_id)
}

/** Records a spot of the order that aired after its window, which the buyer disputes and the seller credits. */
async function reconcileOrder(app: TestApp, { ask }: Recorder, order_id: string): Promise<void> {
  await bookOrder(app.deps.orders, app.deps.db, order_id)
  const times = [
    { air_date: inWalk('2027-02-01'), air_time: '20:15' },
    { air_date: inWalk('2027-02-03'), air_time: '23:41' },
  ]
  const invoice = { invoice_number: 'SMT-27020417', invoice_date: inWalk('2027-02-28'), rate: 4200 }
  const rows = times.flatMap((time) => [
    aLogged(order_id, { network: 'Summit Sports', log_id: undefined, ...time }),
    aBilled(order_id, { network: 'Summit Sports', broadcast_month: inWalk('2027-02'), ...invoice, ...time }),
  ])
  await sendPosts(app, 'summit', rows)
  const read = { path: { order_id }, query: { limit: '2' } }
  const { lines } = await ask('getReconciliation', { path: { order_id }, query: { code: 'OUT_OF_DAYPART' } })
  const path = { order_id, variance_id: lines[0].variances[0].variance_id }
  await ask('answerVariance', { path, body: await example('dispute-variance') })
  await ask('settleVariance', { path, body: await example('credit-variance') })
  await ask('getReceivedReconciliation', read)
  await makeGood({ ask }, order_id, lines[0])
  await feedSettled(app.deps.db)
  await ask('listReconciledOrders')
  await ask('listReceivedReconciledOrders')
}

/** Records a spot that does not air: the seller offers others, and the buyer accepts one. Another notice is recalled. */
async function makeGood(
  { ask }: Pick<Recorder, 'ask'>,
  order_id: string,
  { unit_id, air_date }: { unit_id: string; air_date: string },
): Promise<void> {
  const { for: missed, offers } = await example('makegood-notice')
  const spots = missed.map((entry: object) => ({ ...entry, unit_id, date: air_date }))
  const path = { order_id }
  const offered = offers.map((offer: object) => ({ ...offer, date: air_date }))
  const upload = { upload_id: (await ask('createSellerUpload', { body: await example('notice-upload') })).upload_id }
  await ask('putSellerUploadContent', { path: upload, bytes: await readFile(new URL('makegood-notice.csv', EXAMPLES)) })
  await ask('getSellerUpload', { path: upload })
  const { makegood_id } = await ask('noticeMakegood', { path, body: { for: spots, offers: offered, ...upload } })
  const named = { path: { order_id, makegood_id } }
  await ask('answerMakegood', { ...named, body: await example('makegood-accept') })
  await ask('getMakegood', named)
  await ask('getReceivedMakegood', named)
  const [spot] = spots
  const other = await ask('noticeMakegood', { path, body: { for: [spot] } })
  await ask('reviseMakegood', { path: { order_id, makegood_id: other.makegood_id }, body: await example('makegood-recall') })
  await ask('listOrderMakegoods', { path })
  await ask('listReceivedOrderMakegoods', { path })
  await ask('listMakegoods')
  await ask('listReceivedMakegoods')
}

async function deliver(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask } = recorder
  const [{ endpoint_id }] = (await ask('listWebhookEndpoints')).items
  const path = { endpoint_id }
  await ask('getWebhookEndpoint', { path })
  await ask('changeWebhookEndpoint', { path, body: await example('change-endpoint') })
  const { delivery_id } = await ask('testWebhookEndpoint', { path, body: {} })
  await ask('listDeliveries', { path, query: { limit: '2' } })
  await ask('redeliver', { path: { endpoint_id, delivery_id } })
  // Nobody delivers here, so these count as failed.
  await app.deps.db.pool.query(`update deliveries set status = 'dropped' where event_type <> 'webhook.test'`)
  await ask('redeliverRange', { path, body: await example('redeliver') })
  await ask('rotateWebhookSecret', { path, body: await example('rotate-secret') })
  await ask('enableWebhookEndpoint', { path })
  await operate(app, recorder, { endpoint_id, delivery_id })
  await ask('deleteWebhookEndpoint', { path })
}

/** Records what sandboxes alone serve: a tenant, an order on demand, and a quote that lapses before its time. */
async function playSandbox(app: TestApp, recorder: Recorder): Promise<void> {
  const { ask, send } = recorder
  await ask('makeTenant', { body: await example('make-tenant') })
  const parties = await sandboxParties(app, ['sandbox-buyer'])
  parties.act()
  const { external_order_id } = await ask('orderFromSeller', { body: await example('sandbox-order') })
  await ask('getDemandedOrder', { path: { external_order_id } })
  await parties.stop()
  const path = await placed(app, recorder, await filled(recorder, await example('negotiated-order'), 'RIDGELINE-2027-009'))
  const units = (await send('getReceivedOrder', { path })).body.line_items.map(({ unit_id }: { unit_id: string }) => unit_id)
  await send('decideOrder', { path, body: fillCounter(await example('counter'), units) })
  await ask('elapseDeadline', { path, body: await example('elapse') })
}

/** Records what operators see of all this. */
async function operate({ deps }: TestApp, { ask }: Recorder, path: { endpoint_id: string; delivery_id: string }): Promise<void> {
  const pull = { base_url: 'https://orders.summit.example/marketplace', secret_ref: 'pull' }
  const profile = SellerProfile.parse({ approval: 'pull', transports: { pull } })
  // A PUT would add the newest entry to the seller's audit log, so this writes the profile directly.
  await deps.db.sql
    .updateTable('sellers')
    .set({ profile: JSON.stringify(profile) })
    .where('seller', '=', 'summit')
    .execute()
  await reportWorker(deps.db, 'marketplace-1')
  await claimEngineReport(deps.db)
  const [last_at, next_at] = ['2027-01-11T14:00:00.000Z', '2027-01-11T15:00:00.000Z']
  await saveEngineReport(deps.db, {
    reachable: true,
    stuck: [],
    schedules: [{ schedule_id: 'settlement', paused: false, last_at, next_at }],
  })
  await ask('getOpsHealth')
  const { items } = await ask('listOpsOrders', { query: { limit: '2' } })
  await ask('getOpsOrder', { path: { order_id: items[0].order_id } })
  await ask('wakeOrder', { path: { order_id: items[0].order_id } })
  await ask('listOpsDeliveries')
  await ask('listEndpointDeliveries', { path, query: { limit: '2' } })
  await ask('resendDelivery', { path })
  await ask('listOpsDrops', { query: { limit: '2' } })
  await ask('listOpsMails', { query: { limit: '2' } })
  await ask('listOpsConnections')
  await ask('listOpsAudit', { query: { limit: '2' } })
}

/** Causes the events that the walk has not yet, and reads both feeds. */
async function readEvents(app: TestApp, { ask, send }: Recorder): Promise<Walked['events']> {
  await ask('publishAvails', { body: await example('summit-avails') })
  const catalog = await example('summit-catalog')
  const [{ external_ref }] = catalog.products
  await send('publishCatalog', { body: { ...catalog, products: catalog.products.map((one: object) => ({ ...one, external_ref })) } })
  const card = await example('summit-rate-card')
  const [entry] = card.entries
  const remnant = { ...entry, week: inWalk('2027-W05'), market_class: 'discounted', window: { closes: inHours(48) } }
  await ask('publishRateCard', { body: { ...card, commit: `${CARD}-remnant`, entries: [remnant] } })
  await feedSettled(app.deps.db)
  const events: Record<string, unknown> = {}
  for (const side of ['buyer', 'seller'] as const) {
    const { body } = await send('readFeed', { query: { limit: '500', statuses: 'placed' } }, side)
    for (const event of body.events) events[event.event_type] ??= event
  }
  // A ping is in no feed.
  const { rows } = await app.deps.db.pool.query<{ body: string }>(`select body from notices where body like '%webhook.test%' limit 1`)
  return { ...events, 'webhook.test': JSON.parse(rows[0]?.body ?? '') }
}

/** Returns the order with the prices of an avails read of its weeks. */
async function filled({ ask }: Recorder, body: CreateOrder, externalOrderId: string): Promise<CreateOrder> {
  const avails = await ask('getAvails', { path: { seller: body.seller }, query: { weeks: weeksOfOrder(body) } })
  return fillOrder(body, citedRates(body, avails), externalOrderId)
}

/** Places an order and validates it as its workflow does. */
async function placed(app: TestApp, { ask }: Recorder, body: unknown): Promise<{ order_id: string }> {
  const { order_id } = await ask('createOrder', { body })
  await validateOrder(app.deps.orders, order_id, newId('cmd_'))
  return { order_id }
}
