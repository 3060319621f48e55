import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { freePort } from '../../src/local/embedded/ports.ts'
import { temporalAddress } from '../../src/local/embedded/temporal.ts'
import { runIdOf } from '../../worker/runs.ts'
import { type MailServer, startMailServer } from '../support/edi/mailServer.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../support/http/sellerServer.ts'
import { until } from '../support/until.ts'
import { storyOf } from '../workflows/storyOf.ts'
import { servesEverything } from '../workflows/useSellerCalls.ts'
import { activitiesOf, type HistoricActivity } from './activitiesOf.ts'
import { openMarket } from './market.ts'
import { KINDS, openWalk, type Shop, type Shops, SOLD_OUT, type Walked } from './ordersOfEachKind.ts'
import { persistentClient } from './persistentClient.ts'
import { type Product, startProduct } from './product.ts'

/**
 * The product walks an order of each kind, and the histories in Temporal tell of each validation, webhook, mail and call of a seller's API: what
 * arrived at a receiver, a mail server or a seller without an activity was sent beside the engine (architecture, Calls are steps).
 */
const AGREEMENT = 'agr-kinds'
let home: string
let product: Product
let connection: Connection
let shops: Shops
let mails: MailServer
let sellerServer: SellerServer
let receiver: Receiver
/** The run of each endpoint, by the path at the receiver. */
const runs = new Map<string, string>()

/** What arrived outside the platform, when, and of which run it must be an activity. */
interface Arrival {
  readonly what: string
  readonly at: number
  readonly run: string
  readonly activity: string
}
const arrivals: Arrival[] = []
let activities: HistoricActivity[] = []
let walked: readonly [kind: string, walked: Walked][] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'marketplace-kinds-'))
  mails = await startMailServer()
  const dataDir = join(home, '.data')
  const env = { RATE_LIMITS: 'off', SMTP_URL: `smtp://127.0.0.1:${mails.port}`, SMTP_TLS: 'off', MAIL_FROM: 'orders@marketplace.example' }
  product = await startProduct({ dataDir, port: await freePort(), env })
  connection = await Connection.connect({ address: await temporalAddress(dataDir) })
  shops = await openShops(new Client({ connection }))
  await subscribe()
  const walk = openWalk(shops)
  walked = await Promise.all(
    Object.entries(KINDS).map(async ([kind, walkIt]): Promise<[string, Walked]> => {
      const one = await walkIt(walk)
      await walk.ends(one.orderId, lastSeqOf(one))
      return [kind, one]
    }),
  )
  // The last activity stays for some seconds after the last delivery.
  await until(async () => (await activitiesOf(shops.workflow)).open.length === 0, 60)
  activities = (await activitiesOf(shops.workflow)).activities
}, 240_000)
afterAll(async () => {
  await connection?.close()
  await product?.stop()
  receiver?.close()
  await Promise.all([mails?.stop(), sellerServer?.stop()])
  await rm(home, { recursive: true, force: true })
}, 60_000)

/** The sandbox's sellers: each publishes a market, and decides in a way of its own. */
async function openShops({ workflow }: Client): Promise<Shops> {
  const { baseUrl, credentials } = product
  const buyer = persistentClient(baseUrl, credentials.buyers['northlight-media']?.token ?? '')
  const shop = async (name: string): Promise<Shop> => {
    const seller = persistentClient(baseUrl, credentials.sellers[name]?.token ?? '')
    return { seller, market: await openMarket(name, seller, buyer) }
  }
  const [api, pull, rules] = await Promise.all([shop('summit'), shop('ktvl-10'), shop('lakeshore-28')])
  await api.seller.putCapabilities({ body: { modes: { catalog: true, proposal: true, document: true } } })
  const soldOut = {
    product_id: 'prime-access',
    period: { grain: 'week', start: SOLD_OUT },
    state: 'unavailable',
    spots: { available: 0 },
  } as const
  expect((await api.seller.publishAvails({ body: { avails: [soldOut] } })).body.accepted).toBe(1)
  const effective = { start: '2026-01-01', end: '2030-12-31' }
  const edi = { to: 'billing@northlight.example', formats: ['scx' as const] }
  await api.seller.grantAgreement({ path: { agreement_id: AGREEMENT }, body: { buyer_entity: 'northlight-media', effective, edi } })
  await rules.seller.putCapabilities({ body: { approval: 'rules' } })
  await rules.seller.putApprovalRules({ body: { rules: [{ id: 'all', when: {}, then: 'approve' }] } })
  sellerServer = await startSellerServer((call) => {
    const [, orderId = ''] = /"order_id":"(\w+)"/.exec(call.text) ?? []
    const activity = call.operation === 'POST /availability' ? 'validateLive' : 'askDecision'
    arrivals.push({ what: `${call.operation} ${orderId}`, at: Date.now(), run: runIdOf('order', orderId), activity })
    return servesEverything(call)
  })
  await pull.seller.putSecret({ path: { name: 'pull' }, body: { value: SELLER_SECRET } })
  const transports = { pull: { base_url: sellerServer.url, secret_ref: 'pull' } }
  await pull.seller.putCapabilities({ body: { approval: 'pull', realtime_availability: true, transports } })
  mails.treat(() => {
    arrivals.push({ what: 'a mail', at: Date.now(), run: runIdOf('mail', AGREEMENT), activity: 'sendMails' })
    return 'accept'
  })
  return { workflow, buyer, api, pull, rules, agreement_id: AGREEMENT }
}

/** Gives the buyer and a seller a webhook endpoint for every event of their orders. */
async function subscribe(): Promise<void> {
  receiver = await startReceiver()
  receiver.answer((res, { headers, at }, req) => {
    const run = runs.get(req.url ?? '') ?? 'unknown'
    arrivals.push({ what: String(headers['webhook-id']), at, run, activity: 'deliver' })
    res.writeHead(204).end()
  })
  for (const [name, tenant] of Object.entries({ buyer: shops.buyer, seller: shops.api.seller })) {
    const { endpoint_id } = (
      await tenant.createWebhookEndpoint({ body: { url: `${receiver.url}/${name}`, events: ['order.status_changed'] } })
    ).body
    runs.set(`/hook/${name}`, runIdOf('endpoint', endpoint_id))
  }
}

const resultOf = ({ story }: Walked) => JSON.parse(story.at(-1)?.replace('result ', '') ?? '{}') as { last_seq: number }
const lastSeqOf = (one: Walked) => resultOf(one).last_seq

const LOOKS = /^(signal wake|step look)$/

describe('an order of each kind', () => {
  it.each(Object.keys(KINDS))('tells its steps in the history of its run: %s', async (kind) => {
    const [, one] = walked.find(([name]) => name === kind) ?? []
    const { events } = await shops.workflow.getHandle(runIdOf('order', one?.orderId ?? '')).fetchHistory()
    expect(storyOf(events ?? []).filter((line) => !LOOKS.test(line))).toEqual(one?.story)
  })
})

describe('what arrives outside the platform', () => {
  it('are the events of every order, its mails and the calls of its seller', () => {
    const delivered = (run: string) => arrivals.filter((one) => one.run === run).map(({ what }) => what)
    const events = walked.flatMap(([, one]) => Array.from({ length: lastSeqOf(one) }, (_, index) => `${one.orderId}:${index + 1}`))
    expect(delivered(runs.get('/hook/buyer') ?? '')).toEqual(expect.arrayContaining(events))
    expect(arrivals.filter(({ activity }) => activity === 'sendMails')).toHaveLength(4)
    expect(arrivals.filter(({ activity }) => activity === 'validateLive' || activity === 'askDecision')).toHaveLength(2)
  })

  it('arrives while an activity of its run is at work', () => {
    const isCovered = ({ at, run, activity }: Arrival) =>
      activities.some(({ workflowId, name, from, to }) => workflowId === run && name === activity && from <= at + 1 && at <= to)
    expect(arrivals.filter((one) => !isCovered(one))).toEqual([])
  })

  it('is counted by these activities, and nothing else arrives', () => {
    const sum = (name: string, count: (one: HistoricActivity) => number) =>
      activities.filter((one) => one.name === name).reduce((all, one) => all + count(one), 0)
    const arrived = (activity: string) => arrivals.filter((one) => one.activity === activity).length
    expect(sum('deliver', ({ result }) => result.delivered)).toBe(arrived('deliver'))
    expect(sum('sendMails', ({ result }) => result.sent)).toBe(arrived('sendMails'))
    expect(sum('validateLive', ({ attempt }) => attempt)).toBe(arrived('validateLive'))
    expect(sum('askDecision', ({ attempt }) => attempt)).toBe(arrived('askDecision'))
  })
})
